package import Beacon
import RadioEmulation
package import YAMLText

/// The contents of a file in /etc/beacond/advertise. Missing keys are nil.
///
///     adapter: hci0            # or source: h4:tcp:HOST:PORT, …
///     mode: hci                # or bluez: through bluetoothd
///     uuid: 636F3F8F-6491-4BEE-95F7-D8CC64A863B5
///     major: 0
///     minor: 0
///     measured_power: -56      # dBm at 1 m
///     interval_ms: 100
///     verify_with: hci1        # another adapter that must receive it
///
/// Or, with a list of `beacons`, it is a scene.
package enum AdvertiseFile: Sendable {
    case beacon(Values)
    case scene(Scene)

    package struct Values: Hashable, Sendable {
        /// As written after `adapter` or `source`.
        package var source: String?
        package var mode: BeaconSettings.Mode?
        package var uuid: ProximityUUID?
        package var major: UInt16?
        package var minor: UInt16?
        package var measuredPower: Int8?
        /// Milliseconds.
        package var interval: Double?
        package var verifyWith: String?

        package init() {}
    }

    /// Reads a file of at most 4 MiB.
    ///
    /// - Throws: the reason why it cannot be read, or every problem in it.
    package init(path: String) throws(DocumentError) {
        try self.init(yaml: try DocumentFile.text(of: path) ?? "", file: path)
    }

    /// - Parameter file: the file's name in errors.
    /// - Throws: every problem that was found, with its line and column.
    package init(yaml: String, file: String) throws(DocumentError) {
        var reader = YAMLReader()
        let root = reader.document(yaml)
        var result = AdvertiseFile.beacon(Values())
        if let root, reader.issues.isEmpty {
            if case .mapping(let mapping) = root, mapping.keys.contains(where: { $0.scalar?.string == "beacons" }) {
                if let scene = reader.scene(root) { result = .scene(scene) }
            } else {
                result = .beacon(reader.advertiseValues(root))
            }
        }
        guard reader.issues.isEmpty else { throw DocumentError(file: file, issues: reader.issues) }
        self = result
    }
}

extension YAMLReader {
    /// The keys of a file for a single beacon.
    fileprivate mutating func advertiseValues(_ root: Node) -> AdvertiseFile.Values {
        let known = [
            "adapter", "source", "mode", "uuid", "major", "minor", "measured_power", "interval_ms", "verify_with",
        ]
        var values = AdvertiseFile.Values()
        if root.scalar?.string == "" { return values }  // comments alone: the recipe
        guard let keys = mapping(root, "the file", known: known) else { return values }
        if let source = keys["source"], keys["adapter"] != nil {
            complain(source, "adapter and source name the same thing: leave one of them out")
        }
        values.source = text(keys["adapter"] ?? keys["source"], "adapter")
        values.mode = text(keys["mode"], "mode").flatMap { text in
            let mode = BeaconSettings.Mode(rawValue: text)
            if mode == nil, let node = keys["mode"] {
                complain(node, "mode is '\(text)': allowed are "
                    + Self.list(BeaconSettings.Mode.allCases.map(\.rawValue)))
            }
            return mode
        }
        values.uuid = uuid(keys["uuid"])
        values.major = integer(keys["major"], "major", 0...65_535).map { UInt16(clamping: $0) }
        values.minor = integer(keys["minor"], "minor", 0...65_535).map { UInt16(clamping: $0) }
        values.measuredPower = integer(keys["measured_power"], "measured_power", -128...127).map { Int8(clamping: $0) }
        values.interval = number(keys["interval_ms"], "interval_ms", BeaconSettings.intervals)
        values.verifyWith = text(keys["verify_with"], "verify_with")
        return values
    }
}
