import Beacon
import YAMLText

/// The keys of a scenario and their allowed values.
extension YAMLReader {
    /// Nil if the document is not a scenario at all. Otherwise what could be read; `issues` has the problems.
    mutating func scenario(_ root: Node?) -> Scenario? {
        guard let root, root.scalar?.string != "" else {
            complain(root ?? "", "the scenario is empty: it needs at least a list of beacons")
            return nil
        }
        let known = ["seed", "propagation", "beacons", "visitor", "duration_s", "repeat"]
        guard let keys = mapping(root, "the scenario", known: known) else { return nil }
        if keys["beacons"] == nil {
            complain(root, "beacons is missing: a list of the beacons in the room, which may be empty ([])")
        }
        let seed = integer(keys["seed"], "seed", 0...Int64.max)
        let duration = duration(keys["duration_s"], "duration_s", 0.1...longestTime)
        return Scenario(
            seed: UInt64(seed ?? 1),
            propagation: keys["propagation"].map { propagation($0) } ?? Propagation(),
            beacons: keys["beacons"].map { beacons($0) } ?? [],
            visitor: visitor(keys["visitor"], repetition: repetition(keys["repeat"]), duration: duration))
    }

    /// Seconds: a little more than a month.
    private var longestTime: Double { 3_000_000 }

    private mutating func repetition(_ node: Node?) -> Motion.Repetition {
        guard let node, let text = text(node, "repeat") else { return .backAndForth }
        guard let repetition = Motion.Repetition(rawValue: text) else {
            let allowed = Self.list(Motion.Repetition.allCases.map(\.rawValue))
            complain(node, "repeat is '\(text)': allowed are \(allowed)")
            return .backAndForth
        }
        return repetition
    }

    // MARK: - Propagation

    private mutating func propagation(_ node: Node) -> Propagation {
        let known = [
            "exponent", "shadowing_db", "shadowing_distance_m", "shadowing_time_s", "fading_k_db", "loss",
            "sensitivity_dbm",
        ]
        var propagation = Propagation()
        guard let keys = mapping(node, "propagation", known: known) else { return propagation }
        func set<Value>(_ path: WritableKeyPath<Propagation, Value>, _ value: Value?) {
            if let value { propagation[keyPath: path] = value }
        }
        set(\.exponent, number(keys["exponent"], "exponent", 0...10))
        set(\.shadowing, number(keys["shadowing_db"], "shadowing_db", 0...30))
        set(\.shadowingDistance, number(keys["shadowing_distance_m"], "shadowing_distance_m", 0.01...1000))
        set(\.shadowingTime, duration(keys["shadowing_time_s"], "shadowing_time_s", 0.01...longestTime))
        set(\.fadingK, orNone(keys["fading_k_db"]) { $0.number($1, "fading_k_db", -20...60) })
        set(\.loss, number(keys["loss"], "loss", 0...1))
        set(\.sensitivity, number(keys["sensitivity_dbm"], "sensitivity_dbm", -127...20))
        return propagation
    }

    // MARK: - Beacons

    private mutating func beacons(_ node: Node) -> [ScenarioBeacon] {
        var beacons: [ScenarioBeacon] = []
        for entry in sequence(node, "beacons", atMost: 10_000) {
            if let beacon = beacon(entry) { beacons.append(beacon) }
        }
        return beacons
    }

    private mutating func beacon(_ node: Node) -> ScenarioBeacon? {
        let known = [
            "name", "uuid", "major", "minor", "measured_power", "level_at_1m_dbm", "interval_ms", "position",
            "address", "address_rotation_s", "from_s", "until_s", "flags", "payload",
        ]
        guard let keys = mapping(node, "a beacon", known: known) else { return nil }
        if keys["position"] == nil {
            complain(node, "this beacon has no position: two or three numbers in metres, as in [5.5, 1.2]")
        }
        guard let content = content(node, keys) else { return nil }
        let level = number(keys["level_at_1m_dbm"], "level_at_1m_dbm", -120...30)
        var beacon = ScenarioBeacon(
            name: text(keys["name"], "name") ?? "", payload: content.payload,
            levelAtOneMetre: level ?? Double(content.identity?.measuredPower ?? defaultPower),
            interval: duration(keys["interval_ms"], "interval_ms", 20...10_240, unit: .milliseconds(1))
                ?? .milliseconds(100),
            position: position(keys["position"]) ?? Position(0, 0), address: address(keys["address"]),
            rotation: rotation(keys["address_rotation_s"]), presence: presence(node, keys))
        beacon.identity = content.identity
        return beacon
    }

    private var defaultPower: Int8 { -59 }

    /// What a beacon sends: an iBeacon, or any octets.
    private mutating func content(
        _ node: Node, _ keys: [String: Node]
    ) -> (identity: IBeacon?, payload: [UInt8])? {
        guard keys["payload"] == nil else {
            for key in ["uuid", "major", "minor", "measured_power", "flags"] {
                guard let value = keys[key] else { continue }
                complain(value, "\(key) has no effect beside payload: leave one of the two out")
            }
            return octets(keys["payload"], "payload", atMost: 31).map { (nil, $0) }
        }
        if keys["uuid"] == nil {
            complain(node, "this beacon has no uuid: 32 hexadecimal digits, with or without dashes")
        }
        let uuid = uuid(keys["uuid"])
        let major = integer(keys["major"], "major", 0...65_535) ?? 0
        let minor = integer(keys["minor"], "minor", 0...65_535) ?? 0
        let power = integer(keys["measured_power"], "measured_power", -128...127) ?? Int64(defaultPower)
        let flags = orNone(keys["flags"]) { $0.integer($1, "flags", 0...255) } ?? 0x1A
        guard let uuid else { return nil }
        let identity = IBeacon(
            id: BeaconID(uuid: uuid, major: UInt16(clamping: major), minor: UInt16(clamping: minor)),
            measuredPower: Int8(clamping: power))
        return (identity, identity.advertisingData(flags: flags.map { UInt8(clamping: $0) }))
    }

    private mutating func address(_ node: Node?) -> DeviceAddress? {
        guard let node, let text = text(node, "address") else { return nil }
        guard let address = DeviceAddress(text) else {
            complain(node, "address is '\(text)': six octets are needed, as in c0:be:ac:00:00:01")
            return nil
        }
        return address
    }

    private mutating func rotation(_ node: Node?) -> AddressRotation {
        guard let period = duration(node, "address_rotation_s", 0...longestTime) else { return .never }
        return period == .zero ? .everyPacket : .every(period)
    }

    private mutating func presence(_ node: Node, _ keys: [String: Node]) -> Range<Duration>? {
        let from = duration(keys["from_s"], "from_s", 0...longestTime)
        let until = duration(keys["until_s"], "until_s", 0...longestTime)
        guard from != nil || until != nil else { return nil }
        let start = from ?? .zero
        let end = until ?? Transmitter.forever
        guard start < end else {
            complain(keys["until_s"] ?? node, "until_s must be later than from_s")
            return nil
        }
        return start..<end
    }

    // MARK: - Visitor

    private mutating func visitor(_ node: Node?, repetition: Motion.Repetition, duration: Duration?) -> Motion {
        guard let node else { return Motion([], repetition: repetition, duration: duration) }
        let keys = mapping(node, "visitor", known: ["path", "speed_m_per_s"]) ?? [:]
        let speed = number(keys["speed_m_per_s"], "speed_m_per_s", speeds) ?? 1.25
        var waypoints: [Motion.Waypoint] = []
        for entry in keys["path"].map({ sequence($0, "path", atMost: 10_000) }) ?? [] {
            waypoint(entry, speed: speed, after: &waypoints)
        }
        let motion = Motion(waypoints, repetition: repetition, duration: duration)
        if let end = waypoints.last?.time, motion.duration < end {
            complain(node, "duration_s is \(motion.duration.seconds), but this path takes \(end.seconds) s")
        }
        return motion
    }

    /// Metres per second.
    private var speeds: ClosedRange<Double> { 0.01...100 }

    private mutating func waypoint(_ node: Node, speed: Double, after waypoints: inout [Motion.Waypoint]) {
        let known = ["position", "at_s", "speed_m_per_s", "pause_s"]
        guard let keys = mapping(node, "a place on the path", known: known) else { return }
        guard keys["position"] != nil else {
            complain(node, "this place has no position: two or three numbers in metres, as in [5.5, 1.2]")
            return
        }
        let at = duration(keys["at_s"], "at_s", 0...longestTime)
        let ownSpeed = number(keys["speed_m_per_s"], "speed_m_per_s", speeds)
        let pause = duration(keys["pause_s"], "pause_s", 0...longestTime)
        guard let position = position(keys["position"]) else { return }
        if let value = keys["at_s"], keys["speed_m_per_s"] != nil {
            complain(value, "at_s and speed_m_per_s both say when the visitor arrives: leave one out")
        }
        var arrival = at ?? .zero
        if let last = waypoints.last {
            let way = last.position.distance(to: position)
            let walked = last.time + .microseconds(Int64((way / (ownSpeed ?? speed) * 1_000_000).rounded()))
            arrival = at ?? walked
            if arrival < last.time {
                complain(keys["at_s"] ?? node, "at_s is \(arrival.seconds), before the visitor leaves the last place "
                    + "at \(last.time.seconds) s")
            }
        }
        waypoints.append(Motion.Waypoint(arrival, position))
        if let pause, pause > .zero {
            waypoints.append(Motion.Waypoint(arrival + pause, position))
        }
    }
}
