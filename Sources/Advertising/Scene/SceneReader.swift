import Beacon
import RadioEmulation
package import YAMLText

extension Scene {
    /// Reads a scene from a YAML file of at most 4 MiB.
    ///
    /// - Throws: why the file cannot be read, or every problem in it.
    package init(path: String) throws(DocumentError) {
        try self.init(yaml: try DocumentFile.text(of: path) ?? "", file: path)
    }

    /// - Parameter file: the file's name in errors.
    /// - Throws: every problem that was found, with its line and column.
    package init(yaml: String, file: String) throws(DocumentError) {
        var reader = YAMLReader()
        let root = reader.document(yaml)
        let scene = reader.issues.isEmpty ? reader.scene(root) : nil
        guard let scene, reader.issues.isEmpty else { throw DocumentError(file: file, issues: reader.issues) }
        self = scene
    }
}

/// The keys of a scene and their allowed values.
extension YAMLReader {
    /// Nil if the document is not a scene at all. Otherwise what could be read; `issues` has the problems.
    mutating func scene(_ root: Node?) -> Scene? {
        guard let root, root.scalar?.string != "" else {
            complain(root ?? "", "the scene is empty: it needs at least a list of beacons")
            return nil
        }
        guard let keys = mapping(root, "the scene", known: ["duration_s", "repeat", "turn_s", "beacons"]) else {
            return nil
        }
        let beacons = sceneBeacons(root, keys["beacons"])
        let end = beacons.flatMap(\.script).map(\.end).max() ?? .zero
        let duration = duration(keys["duration_s"], "duration_s", 0.1...longestSceneTime)
        if let duration, duration < end, let node = keys["duration_s"] {
            complain(
                node, "duration_s is \(Self.seconds(duration)), but the script goes on until \(Self.seconds(end)) s")
        }
        return Scene(
            duration: duration ?? max(end, .seconds(60)), isRepeated: flag(keys["repeat"], "repeat") ?? false,
            turn: self.duration(keys["turn_s"], "turn_s", 0.2...3600) ?? .seconds(2), beacons: beacons)
    }

    /// Seconds: a little more than a month.
    private var longestSceneTime: Double { 3_000_000 }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

    private mutating func sceneBeacons(_ root: Node, _ node: Node?) -> [SceneBeacon] {
        guard let node else {
            complain(root, "beacons is missing: a list of the beacons of the scene")
            return []
        }
        let entries = sequence(node, "beacons", atMost: 1000)
        if entries.isEmpty, case .sequence = node { complain(node, "beacons is empty: at least one is needed") }
        var beacons: [SceneBeacon] = []
        for (number, entry) in entries.enumerated() {
            if let beacon = sceneBeacon(entry, number: number + 1) { beacons.append(beacon) }
        }
        return beacons
    }

    private mutating func sceneBeacon(_ node: Node, number: Int) -> SceneBeacon? {
        let known = Self.contentKeys + [
            "name", "interval_ms", "power_dbm", "address", "address_rotation_s", "position", "script",
        ]
        guard let keys = mapping(node, "a beacon", known: known) else { return nil }
        guard let content = content(node, keys, after: nil) else { return nil }
        var beacon = SceneBeacon(name: text(keys["name"], "name") ?? "beacon \(number)", content)
        beacon.interval = self.number(keys["interval_ms"], "interval_ms", BeaconSettings.intervals) ?? beacon.interval
        beacon.transmitPower = power(keys["power_dbm"], "power_dbm")
        beacon.address = address(keys)
        beacon.position = position(keys["position"]) ?? beacon.position
        beacon.script = script(keys["script"], content)
        return beacon
    }

    private mutating func power(_ node: Node?, _ key: String) -> Int8? {
        integer(node, key, -127...20).map { Int8(clamping: $0) }
    }

    private mutating func address(_ keys: [String: Node]) -> SceneBeacon.Address {
        let period = duration(keys["address_rotation_s"], "address_rotation_s", 0.2...longestSceneTime)
        guard let node = keys["address"], let text = text(node, "address") else {
            return period.map { .random(every: $0) } ?? .adapter
        }
        if period != nil { complain(node, "address has no effect beside address_rotation_s: leave one of the two out") }
        switch text {
        case "adapter": return .adapter
        case "random": return .random(every: nil)
        default:
            guard let address = DeviceAddress(text), address.value >> 46 == 3 else {
                complain(node, "address is '\(text)': adapter, random, or six octets are needed that begin with "
                    + "c0 to ff, as in c0:be:ac:00:00:01")
                return .adapter
            }
            return .fixed(address)
        }
    }

    // MARK: - What is sent

    private static let contentKeys = ["uuid", "major", "minor", "measured_power", "flags", "payload"]

    /// - Parameter earlier: the content before this change. Its values are kept if no new ones are given.
    private mutating func content(_ node: Node, _ keys: [String: Node], after earlier: SceneContent?) -> SceneContent? {
        if let payload = keys["payload"] {
            for key in Self.contentKeys.dropLast() {
                guard let value = keys[key] else { continue }
                complain(value, "\(key) has no effect beside payload: leave one of the two out")
            }
            return octets(payload, "payload", atMost: 31).map { .payload($0) }
        }
        var beacon = IBeacon(id: BeaconSettings.recipe.id, measuredPower: -59)
        var flags: UInt8? = 0x1A
        var hasIdentity = false
        if case .identity(let before, let flagsBefore) = earlier {
            (beacon, flags, hasIdentity) = (before, flagsBefore, true)
        }
        if let uuid = uuid(keys["uuid"]) {
            beacon.id.uuid = uuid
        } else if keys["uuid"] == nil, !hasIdentity {
            complain(node, "this beacon has no uuid: 32 hexadecimal digits, with or without dashes; or a payload")
            return nil
        }
        if let major = integer(keys["major"], "major", 0...65_535) { beacon.id.major = UInt16(clamping: major) }
        if let minor = integer(keys["minor"], "minor", 0...65_535) { beacon.id.minor = UInt16(clamping: minor) }
        if let power = integer(keys["measured_power"], "measured_power", -128...127) {
            beacon.measuredPower = Int8(clamping: power)
        }
        if let value = orNone(keys["flags"], { $0.integer($1, "flags", 0...255) }) {
            flags = value.map { UInt8(clamping: $0) }
        }
        return .identity(beacon, flags: flags)
    }

    // MARK: - Script

    private mutating func script(_ node: Node?, _ content: SceneContent) -> [SceneChange] {
        guard let node else { return [] }
        var changes: [SceneChange] = []
        var current = content
        var last = Duration.zero
        for entry in sequence(node, "script", atMost: 10_000) {
            let known = Self.contentKeys + ["at_s", "on", "power_dbm", "over_s", "walk_past", "new_address"]
            guard let keys = mapping(entry, "a change", known: known) else { continue }
            guard let time = duration(keys["at_s"], "at_s", 0...longestSceneTime) else {
                if keys["at_s"] == nil { complain(entry, "this change has no at_s: seconds since the beginning") }
                continue
            }
            if time < last { complain(keys["at_s"] ?? entry, "at_s is before the change above: put them in order") }
            last = time
            let new = kinds(entry, keys, &current)
            if new.isEmpty, keys.count == 1 {
                complain(entry, "nothing changes here: give on, uuid, major, minor, measured_power, flags, payload, "
                    + "power_dbm, walk_past or new_address")
            }
            changes += new.map { SceneChange(time, $0) }
        }
        return changes
    }

    private mutating func kinds(
        _ node: Node, _ keys: [String: Node], _ current: inout SceneContent
    ) -> [SceneChange.Kind] {
        var kinds: [SceneChange.Kind] = []
        if let isOn = flag(keys["on"], "on") { kinds.append(.presence(isOn)) }
        if keys.keys.contains(where: Self.contentKeys.contains), let content = content(node, keys, after: current) {
            current = content
            kinds.append(.content(content))
        }
        let over = duration(keys["over_s"], "over_s", 0...longestSceneTime)
        if let power = power(keys["power_dbm"], "power_dbm") {
            kinds.append(.power(power, over: over ?? .zero))
        } else if let node = keys["over_s"], keys["power_dbm"] == nil {
            complain(node, "over_s has no effect without power_dbm")
        }
        if let node = keys["walk_past"], let walk = walkPast(node) { kinds.append(.walkPast(walk)) }
        if flag(keys["new_address"], "new_address") == true { kinds.append(.newAddress) }
        return kinds
    }

    private mutating func walkPast(_ node: Node) -> WalkPast? {
        guard let keys = mapping(node, "walk_past", known: ["from_m", "closest_m", "speed_m_per_s"]) else { return nil }
        let walk = WalkPast(
            from: number(keys["from_m"], "from_m", 0.1...1000) ?? 10,
            closest: number(keys["closest_m"], "closest_m", 0.1...100) ?? 1,
            speed: number(keys["speed_m_per_s"], "speed_m_per_s", 0.01...100) ?? 1.25)
        guard walk.from > walk.closest else {
            complain(node, "from_m must be more than closest_m")
            return nil
        }
        return walk
    }
}

extension SceneChange {
    /// When the change is complete.
    fileprivate var end: Duration {
        switch kind {
        case .power(_, let length): time + length
        case .walkPast(let walk): time + walk.duration
        case .presence, .content, .newAddress: time
        }
    }
}
