package import Beacon
package import YAMLText
import RadioEmulation

/// The result of `beaconctl calibrate --format json`: a beacon's level at 1 m.
package struct CalibrationReading: Hashable, Sendable {
    package var id: BeaconID
    /// The measured power in dBm that the beacon sends; nil if it has sent several values.
    package var advertised: Int8?
    /// The measured power in dBm that it should send.
    package var measuredPower: Int8
    /// dBm: the interval that probably contains the right value.
    package var low: Int8
    package var high: Int8
    package var samples: Int
    /// The source that listened; empty if the file does not name it.
    package var scanner: String

    /// The smallest sufficient number of useful readings: about five seconds of a beacon that sends every 100 ms.
    static let enough = 50

    /// Reads one JSON object; JSON is a subset of YAML.
    ///
    /// - Parameter file: the file's name in errors.
    /// - Throws: every problem that was found, with its line and column.
    package init(json: String, file: String) throws(DocumentError) {
        var reader = YAMLReader()
        let root = reader.document(json)
        if root == nil, reader.issues.isEmpty {
            throw DocumentError(file: file, issues: [.init("is empty: the output of beaconctl calibrate --format json "
                + "is needed")])
        }
        let result = root.flatMap { reader.calibrationReading($0) }
        guard let result, reader.issues.isEmpty else { throw DocumentError(file: file, issues: reader.issues) }
        self = result
    }

    fileprivate init(
        id: BeaconID, advertised: Int8?, measuredPower: Int8, low: Int8, high: Int8, samples: Int, scanner: String
    ) {
        self.id = id
        self.advertised = advertised
        self.measuredPower = measuredPower
        self.low = low
        self.high = high
        self.samples = samples
        self.scanner = scanner
    }

    /// Why the calibration should be repeated; nil if it is reliable.
    package var doubt: String? {
        if samples < Self.enough { return "only \(samples) readings: listen for 30 s" }
        if Int(high) - Int(low) > 8 {
            return "the readings leave it between \(low) and \(high) dBm: take more, away from walls and people"
        }
        return nil
    }
}

extension YAMLReader {
    fileprivate mutating func calibrationReading(_ root: Node) -> CalibrationReading? {
        let known = [
            "uuid", "major", "minor", "measured_power_advertised", "samples", "distance_m", "measured_power", "low",
            "high", "scanner",
        ]
        guard case .mapping(let mapping) = root else {
            complain(root, "is no JSON object: the output of beaconctl calibrate --format json is needed")
            return nil
        }
        // Unknown keys are ignored: later versions may add some.
        var keys: [String: Node] = [:]
        for (key, value) in mapping { keys[key.scalar?.string ?? ""] = value }
        for key in known where keys[key] == nil && key != "scanner" && key != "distance_m" {
            complain(root, "\(key) is missing: the output of beaconctl calibrate --format json is needed")
        }
        let isNull = keys["measured_power_advertised"]?.isNull == true
        let scanner = keys["scanner"].flatMap { $0.isNull ? nil : $0 }
        func power(_ key: String, _ reader: inout YAMLReader) -> Int8? {
            reader.number(keys[key], key, -128...127).map { Int8(max(-128, min(127, $0.rounded()))) }
        }
        guard let uuid = uuid(keys["uuid"]), let major = integer(keys["major"], "major", 0...65_535),
            let minor = integer(keys["minor"], "minor", 0...65_535),
            let samples = integer(keys["samples"], "samples", 0...Int64.max),
            let measured = power("measured_power", &self),
            let low = power("low", &self), let high = power("high", &self)
        else { return nil }
        return CalibrationReading(
            id: BeaconID(uuid: uuid, major: UInt16(clamping: major), minor: UInt16(clamping: minor)),
            advertised: isNull ? nil : power("measured_power_advertised", &self), measuredPower: measured,
            low: min(low, high), high: max(low, high),
            samples: Int(samples), scanner: text(scanner, "scanner") ?? "")
    }
}
