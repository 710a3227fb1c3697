import Advertising
import Beacon
import Foundation
import HCI
import Radio
import TestSupport
import Testing
import YAMLText

@Suite("A scene")
struct SceneTests {
    static let uuid = "7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096"

    static func scene(_ beacon: String) throws -> Scene {
        try Scene(yaml: "beacons:\n  - uuid: \(uuid)\n" + beacon, file: "scene.yaml")
    }

    private func power(_ scene: Scene, at seconds: Double) -> Int8? {
        scene.beacons[0].broadcast(at: .seconds(seconds), number: 0)?.parameters.transmitPower
    }

    @Test("has pauses and identity changes at their times")
    func script() throws {
        let scene = try Self.scene(
            """
                major: 1
                script:
                  - {at_s: 2, on: false}
                  - {at_s: 4, on: true, minor: 7}
                  - {at_s: 6, payload: 02 01 06}
            """)
        let beacon = scene.beacons[0]
        func minor(_ seconds: Double) -> UInt16? {
            beacon.broadcast(at: .seconds(seconds), number: 0).flatMap {
                IBeacon.first(in: $0.data.span.bytes)?.id.minor
            }
        }
        #expect(minor(1.9) == 0)
        #expect(beacon.broadcast(at: .seconds(2), number: 0) == nil)
        #expect(minor(4) == 7)
        #expect(beacon.broadcast(at: .seconds(6), number: 0)?.data == [2, 1, 6])
    }

    @Test("fades evenly, and keeps the power that it arrived at")
    func fade() throws {
        let scene = try Self.scene("    power_dbm: 4\n    script: [{at_s: 10, power_dbm: -16, over_s: 20}]\n")
        #expect(power(scene, at: 5) == 4)
        #expect(power(scene, at: 20) == -6)
        #expect(power(scene, at: 30) == -16)
        #expect(power(scene, at: 50) == -16)
        #expect(scene.duration == .seconds(60))
    }

    @Test("a walk past is strongest in its middle, and the same on both sides")
    func walk() throws {
        let scene = try Self.scene(
            "    power_dbm: 4\n    script: [{at_s: 0, walk_past: {from_m: 10, closest_m: 1, speed_m_per_s: 1}}]\n")
        // Half of the way: sqrt(10² - 1²) m at 1 m/s.
        let half = 99.0.squareRoot()
        #expect(power(scene, at: half) == 4)
        let end = try #require(power(scene, at: 0))
        // 22 dB for ten times the distance.
        #expect(end == -18)
        let (before, after) = (power(scene, at: half - 3), power(scene, at: half + 3))
        #expect(before == after)
        #expect(try #require(before) > end)
    }

    @Test("addresses are the adapter's, fixed, random or changing, and never look alike")
    func addresses() throws {
        func address(_ text: String, at seconds: Double, number: Int = 0) throws -> DeviceAddress? {
            try Self.scene(text).beacons[0].broadcast(at: .seconds(seconds), number: number)?.address
        }
        #expect(try address("    major: 1\n", at: 0) == nil)
        #expect(try address("    address: c0:be:ac:00:00:01\n", at: 9) == DeviceAddress("c0:be:ac:00:00:01"))
        let rotating = "    address_rotation_s: 10\n"
        let first = try #require(try address(rotating, at: 0))
        #expect(try address(rotating, at: 9.9) == first)
        #expect(try address(rotating, at: 10) != first)
        #expect(first.value >> 46 == 3, "no static random address")
        let changed = "    address: random\n    script: [{at_s: 5, new_address: true}]\n"
        #expect(try address(changed, at: 4) != address(changed, at: 5))
        let all = try (0..<200).map { try address(rotating, at: 0, number: $0) }
        #expect(Set(all).count == 200)
        #expect(try #require(Self.scene(rotating).beacons[0].broadcast(at: .zero, number: 0))
            .parameters.ownAddressIsRandom)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var yaml: String
        var line: Int
        var says: String

        var testDescription: String { says }
    }

    static let mistakes = [
        Mistake(yaml: "", line: 0, says: "empty"),
        Mistake(yaml: "beacons: []\n", line: 1, says: "at least one"),
        Mistake(yaml: "turn_s: 1\n", line: 1, says: "beacons is missing"),
        Mistake(yaml: "beacons:\n  - major: 1\n", line: 2, says: "no uuid"),
        Mistake(yaml: "beacons:\n  - uuid: 12\n", line: 2, says: "32 hexadecimal"),
        Mistake(yaml: "beacons:\n  - uuid: \(uuid)\n    mayor: 1\n", line: 3, says: "did you mean 'major'"),
        Mistake(yaml: "beacons:\n  - uuid: \(uuid)\n    major: 65536\n", line: 3, says: "0 to 65535"),
        Mistake(yaml: "beacons:\n  - uuid: \(uuid)\n    interval_ms: 19\n", line: 3, says: "20 to 10240"),
        Mistake(yaml: "beacons:\n  - uuid: \(uuid)\n    power_dbm: 21\n", line: 3, says: "-127 to 20"),
        Mistake(yaml: "beacons:\n  - uuid: \(uuid)\n    address: 00:11:22:33:44:55\n", line: 3, says: "c0 to ff"),
        Mistake(yaml: "beacons:\n  - payload: 02 01 0\n", line: 2, says: "pairs of hexadecimal"),
        Mistake(yaml: "beacons:\n  - payload: 02\n    major: 1\n", line: 3, says: "beside payload"),
        Mistake(
            yaml: "beacons:\n  - uuid: \(uuid)\n    script:\n      - {on: false}\n", line: 4, says: "no at_s"),
        Mistake(
            yaml: "beacons:\n  - uuid: \(uuid)\n    script:\n      - {at_s: 2, on: no}\n", line: 4,
            says: "true or false"),
        Mistake(
            yaml: "beacons:\n  - uuid: \(uuid)\n    script:\n      - {at_s: 2}\n", line: 4, says: "nothing changes"),
        Mistake(
            yaml:
                "beacons:\n  - uuid: \(uuid)\n    script:\n      - {at_s: 2, on: true}\n      - {at_s: 1, on: true}\n",
            line: 5, says: "in order"),
        Mistake(
            yaml: "duration_s: 5\nbeacons:\n  - uuid: \(uuid)\n    script: [{at_s: 2, power_dbm: 0, over_s: 10}]\n",
            line: 1, says: "goes on until"),
        Mistake(
            yaml: "beacons:\n  - uuid: \(uuid)\n    script: [{at_s: 2, walk_past: {from_m: 1, closest_m: 2}}]\n",
            line: 3, says: "more than closest_m"),
    ]

    @Test("a mistake is told with its line and what is allowed", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let error = try #require(throws: DocumentError.self) { try Scene(yaml: mistake.yaml, file: "scene.yaml") }
        #expect(error.description.contains(mistake.says), "\(error)")
        if mistake.line > 0 { #expect(error.description.contains("scene.yaml:\(mistake.line):"), "\(error)") }
    }

    @Test("the documented example is accepted, with every key that there is")
    func documentation() throws {
        let document = URL(fileURLWithPath: Programs.project + "/docs/scenes.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let example = try #require(text.components(separatedBy: "```yaml\n").dropFirst().first?
            .components(separatedBy: "```").first)
        let scene = try Scene(yaml: example, file: "docs/scenes.md")
        #expect(scene.beacons.count > 3)
        for key in [
            "duration_s", "repeat", "turn_s", "beacons", "name", "uuid", "major", "minor", "measured_power", "flags",
            "payload", "interval_ms", "power_dbm", "address", "address_rotation_s", "position", "script", "at_s", "on",
            "over_s", "walk_past", "from_m", "closest_m", "speed_m_per_s", "new_address",
        ] {
            #expect(example.contains("\(key):"), "\(key) is not in the example")
        }
    }

    @Test("damaged text is an error or a scene, whose broadcasts can be asked for at any time")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 4)
        let document = try String(contentsOfFile: Programs.project + "/docs/scenes.md", encoding: .utf8)
        let whole = try #require(document.components(separatedBy: "```yaml\n").dropFirst().first?
            .components(separatedBy: "```").first)
        var accepted = 0
        for _ in 0..<400 {
            var text = Array(whole.utf8)
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                text[Int.random(in: text.indices, using: &generator)] = UInt8.random(in: 32..<127, using: &generator)
            }
            guard let scene = try? Scene(yaml: String(decoding: text, as: UTF8.self), file: "x") else { continue }
            accepted += 1
            for (number, beacon) in scene.beacons.enumerated() {
                let instant = Double.random(in: 0..<100_000, using: &generator)
                let data = beacon.broadcast(at: .seconds(instant), number: number)?.data
                #expect(data.map { $0.count <= 31 } ?? true)
            }
        }
        #expect(accepted > 0)
    }
}

@Suite("Turns on the air")
struct SceneTurnsTests {
    @Test("a beacon keeps its place where there are enough")
    func enough() {
        var turns = SceneTurns(places: 3, turn: .seconds(1))
        let first = turns.update([0, 1, 2], at: .zero)
        #expect(first == [0, 1, 2])
        #expect(turns.update([0, 2], at: .seconds(5)) == [0, nil, 2])
        #expect(turns.update([0, 1, 2], at: .seconds(9)) == [0, 1, 2])
    }

    @Test("everybody gets a turn, each as often as the others", arguments: [1, 2, 3])
    func rotation(places: Int) {
        var turns = SceneTurns(places: places, turn: .seconds(2))
        var shares: [Int: Int] = [:]
        for tick in 0..<700 {
            for beacon in turns.update(Array(0..<7), at: .milliseconds(100 * tick)).compactMap({ $0 }) {
                shares[beacon, default: 0] += 1
            }
        }
        #expect(shares.count == 7)
        let (least, most) = (shares.values.min() ?? 0, shares.values.max() ?? 0)
        #expect(most - least <= 21, "\(shares)")
    }

    @Test("a place that is lost takes nobody with it")
    func lost() {
        var turns = SceneTurns(places: 2, turn: .seconds(1))
        _ = turns.update([0, 1], at: .zero)
        turns.remove(place: 0)
        #expect(turns.update([0, 1], at: .seconds(1)) == [0])
        #expect(turns.update([0, 1], at: .seconds(2)) == [1])
    }
}
