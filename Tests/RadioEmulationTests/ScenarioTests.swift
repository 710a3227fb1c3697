import Beacon
import HCI
import RadioEmulation
import Testing
import YAMLText

@Suite struct ScenarioTests {
    @Test("the museum has six exhibits and a walk of forty seconds")
    func museumHasSixExhibitsAndAWalkOfFortySeconds() throws {
        let museum = try Scenario(yaml: Scenario.museumYAML, file: "museum")
        #expect(museum == .museum)
        #expect(museum.beacons.count == 6 && museum.names.count == 6)
        #expect(museum.duration == .seconds(40))
        #expect(museum.beacons.compactMap(\.identity?.id.minor) == [1, 2, 3, 4, 5, 6])
        #expect(Set(museum.beacons.compactMap(\.identity?.id.uuid)).count == 1)
        #expect(museum.visitor.repetition == .backAndForth)
    }

    /// Each exhibit becomes the nearest once on the way there, and once on the way back.
    @Test("the museum's walk passes the exhibits in order")
    func museumWalkPassesTheExhibitsInOrder() {
        let museum = Scenario.museum
        func nearest(at time: Duration) -> UInt16? {
            let visitor = museum.visitor.position(at: time)
            return museum.beacons.min { $0.position.distance(to: visitor) < $1.position.distance(to: visitor) }?
                .identity?.id.minor
        }
        var order: [UInt16] = []
        for step in 0...800 {
            guard let minor = nearest(at: .milliseconds(100 * step)), minor != order.last else { continue }
            order.append(minor)
        }
        #expect(order == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
    }

    /// Through the whole of HCI: the beacon with the best mean of each second goes from 1 to 6, and never back.
    @Test("the museum is heard in order", arguments: [true, false])
    func museumIsHeardInOrder(_ hasNoise: Bool) {
        var emulation = Emulation(hasNoise ? Scenario.museum : Scenario.museum.withoutNoise, walks: 1)
        let ear = emulation.attach()
        emulation.run(Listen.extended, on: ear)
        var order: [UInt16] = []
        for second in 1...40 {
            let heard = reports(emulation.packets(of: ear, until: .seconds(second)))
            let byBeacon = Dictionary(grouping: heard) { IBeacon.first(in: $0.data.span.bytes)?.id.minor ?? 0 }
            let means = byBeacon.mapValues { heard in
                heard.map { Double($0.report.rawRSSI) }.reduce(0, +) / Double(heard.count)
            }
            guard let strongest = means.max(by: { $0.value < $1.value })?.key, strongest != order.last else {
                continue
            }
            order.append(strongest)
        }
        #expect(order == [1, 2, 3, 4, 5, 6])
        #expect(emulation.isOver)
        #expect(emulation.advance(to: .seconds(100)).isEmpty && emulation.now == .seconds(40))
    }

    @Test("every key is read")
    func everyKeyIsRead() throws {
        let scenario = try Scenario(
            yaml: """
                seed: 0x2A
                propagation: {exponent: 3, shadowing_db: 1, shadowing_distance_m: 4, shadowing_time_s: 5,
                              fading_k_db: none, loss: 0.5, sensitivity_dbm: -90}
                beacons:
                  - {name: A, uuid: 636f3f8f64914bee95f7d8cc64a863b5, major: 7, minor: 0xFFFF, measured_power: -70,
                     level_at_1m_dbm: -65.5, interval_ms: 152.5, position: [1, 2, 3], address: 'c0:00:00:00:00:01',
                     address_rotation_s: 0, from_s: 1, until_s: 2.5, flags: none}
                  - {payload: 02 01:06 00, position: [0, 0]}
                visitor:
                  path:
                    - {position: [0, 0], pause_s: 1}
                    - {position: [3, 4], speed_m_per_s: 2.5}
                    - {position: [3, 5], at_s: 10}
                duration_s: 12
                repeat: stay
                """, file: "test")
        #expect(scenario.seed == 42)
        #expect(
            scenario.propagation
                == Propagation(
                    exponent: 3, shadowing: 1, shadowingDistance: 4, shadowingTime: .seconds(5), fadingK: nil,
                    loss: 0.5, sensitivity: -90))
        let beacon = scenario.beacons[0]
        let identity = try #require(beacon.identity)
        #expect(identity.id.description == "636f3f8f-6491-4bee-95f7-d8cc64a863b5/7/65535")
        #expect(beacon.payload == identity.advertisingData(flags: nil))
        #expect(beacon.levelAtOneMetre == -65.5 && beacon.interval == .microseconds(152_500))
        #expect(beacon.position == Position(1, 2, 3) && beacon.address == DeviceAddress(0xC000_0000_0001))
        #expect(beacon.rotation == .everyPacket)
        #expect(beacon.presence == .seconds(1)..<(.milliseconds(2500)))
        #expect(scenario.names == [identity.id: "A"])
        #expect(scenario.beacons[1].payload == [2, 1, 6, 0] && scenario.beacons[1].identity == nil)
        #expect(
            scenario.visitor.waypoints.map(\.time) == [.zero, .seconds(1), .seconds(3), .seconds(10)])
        #expect(scenario.duration == .seconds(12) && scenario.visitor.repetition == .stay)
    }

    private static let good = "beacons:\n  - uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096\n    position: [0, 1]\n"

    @Test("errors say where, and what is allowed", arguments: [
        ("", "the scenario is empty"),
        ("- a\n", "s.yaml:1:1: the scenario needs `key: value` lines"),
        ("seed: 1\n", "s.yaml:1:1: beacons is missing"),
        (good + "sead: 1\n", "s.yaml:4:1: 'sead' is not known in the scenario: did you mean 'seed'?"),
        (good + "frobnicate: 1\n", "s.yaml:4:1: 'frobnicate' is not known in the scenario: allowed are seed,"),
        (good + "seed: one\n", "s.yaml:4:7: seed is 'one': a whole number of at least 0 is needed"),
        (good + "seed: -1\n", "s.yaml:4:7: seed is '-1'"),
        (good + "seed: [1]\n", "s.yaml:4:7: seed must be a single value"),
        (good + "repeat: often\n", "s.yaml:4:9: repeat is 'often': allowed are back_and_forth, from_start, stay"),
        (good + "duration_s: 0\n", "s.yaml:4:13: duration_s is '0': a number from 0.1 to 3000000"),
        (good + "duration_s: nan\n", "s.yaml:4:13: duration_s is 'nan'"),
        (good + "    major: 65536\n", "s.yaml:4:12: major is '65536': a whole number from 0 to 65535 is needed"),
        (good + "    minor: 1.5\n", "s.yaml:4:12: minor is '1.5'"),
        (good + "    minor:\n", "s.yaml:4:11: minor is ''"),
        (good + "    measured_power: 200\n", "s.yaml:4:21: measured_power is '200': a whole number from -128 to 127"),
        (good + "    interval_ms: 10\n", "s.yaml:4:18: interval_ms is '10': a number from 20 to 10240 is needed"),
        (good + "    flags: 256\n", "s.yaml:4:12: flags is '256'"),
        (good + "    address: 1:2\n", "s.yaml:4:14: address is '1:2': six octets are needed"),
        (good + "    from_s: 5\n    until_s: 5\n", "s.yaml:5:14: until_s must be later than from_s"),
        (good + "    payload: 0201\n", "s.yaml:2:11: uuid has no effect beside payload"),
        ("beacons:\n  - payload: 02011\n    position: [0, 0]\n", "s.yaml:2:14: payload is '02011': pairs of"),
        ("beacons:\n  - payload: \(String(repeating: "00", count: 32))\n    position: [0, 0]\n",
         "payload has 32 octets: at most 31 are allowed"),
        ("beacons:\n  - uuid: 7A0E5F3C\n    position: [0, 0]\n", "s.yaml:2:11: uuid is '7A0E5F3C': 32 hexadecimal"),
        ("beacons:\n  - position: [0, 0]\n", "s.yaml:2:5: this beacon has no uuid"),
        ("beacons:\n  - uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096\n", "s.yaml:2:5: this beacon has no position"),
        ("beacons:\n  - uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096\n    position: 5\n",
         "s.yaml:3:15: position must be two or three numbers"),
        ("beacons:\n  - uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096\n    position: [a, 1]\n",
         "s.yaml:3:16: position is 'a': a number from -10000 to 10000"),
        ("beacons: 3\n", "s.yaml:1:10: beacons must be a list"),
        ("beacons: [3]\n", "s.yaml:1:11: a beacon needs `key: value` lines"),
        (good + "propagation: {loss: 2}\n", "s.yaml:4:21: loss is '2': a number from 0 to 1 is needed"),
        (good + "propagation: {fading_k_db: off}\n", "s.yaml:4:28: fading_k_db is 'off'"),
        (good + "visitor: {path: [{at_s: 1}]}\n", "s.yaml:4:18: this place has no position"),
        (good + "visitor: {path: [{position: [0, 0], at_s: 5}, {position: [1, 0], at_s: 2}]}\n",
         "s.yaml:4:72: at_s is 2.0, before the visitor leaves the last place at 5.0 s"),
        (good + "visitor: {path: [{position: [0, 0], at_s: 5, speed_m_per_s: 1}]}\n", "leave one out"),
        (good + "visitor: {path: [{position: [0, 0], pause_s: 5}]}\nduration_s: 1\n", "but this path takes 5.0 s"),
        (good + "seed: 1\nseed: 2\n", "'seed' stands here more than once"),
        ("beacons: [\n", "this is not YAML"),
        ("a: b: c\n", "s.yaml:1:5: this is not YAML"),
        ("beacons: []\n---\nbeacons: []\n", "this is not YAML"),
    ])
    func errorsSayWhereAndWhatIsAllowed(_ yaml: String, _ fragment: String) throws {
        let error = try #require(throws: DocumentError.self) { try Scenario(yaml: yaml, file: "s.yaml") }
        #expect(error.description.contains(fragment))
        #expect(error.description.hasPrefix("s.yaml:"))
    }

    @Test("several errors are told at once")
    func severalErrorsAreToldAtOnce() throws {
        let yaml = "beacons:\n" + (1...8).map { "  - {uuid: bad\($0), position: [0, 0]}\n" }.joined()
        let error = try #require(throws: DocumentError.self) { try Scenario(yaml: yaml, file: "s.yaml") }
        #expect(error.issues.map(\.line) == (2...9).map { $0 })
        let lines = error.description.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines.last == "s.yaml: 3 more")
    }

    @Test("an empty room is a scenario")
    func anEmptyRoomIsAScenario() throws {
        let scenario = try Scenario(yaml: "beacons: []", file: "s.yaml")
        #expect(scenario.beacons.isEmpty && scenario.duration == .seconds(60))
    }

    @Test("files that cannot be read say why")
    func filesThatCannotBeReadSayWhy() {
        let missing = #expect(throws: DocumentError.self) { try Scenario(path: "/nonexistent/scenario.yaml") }
        #expect(missing?.description == "/nonexistent/scenario.yaml: cannot be read: No such file or directory")
        let folder = #expect(throws: DocumentError.self) { try Scenario(path: "/") }
        #expect(folder?.description.contains("/: cannot be") == true)
    }

    @Test("deep nesting is an error", arguments: ["[", "{a: ", "- ", "? ", "- - a: "])
    func deepNestingIsAnError(_ opening: String) {
        let yaml = "beacons:\n" + String(repeating: opening, count: 20_000)
        #expect(throws: DocumentError.self) { try Scenario(yaml: yaml, file: "s.yaml") }
    }
}
