import Beacon
import Foundation
import Ranging
import Settings
import Testing
import TestSupport

/// Those with a single value.
private let rangingSettings = Setting.all.filter { $0.isAboutRanging && $0.path != nil }

private let museum = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

/// Writes a configuration, and gives it to `body`.
func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    let path = try temporaryFolder("settings") + "/beacond.yaml"
    defer { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return try body(path)
}

/// What is wrong with a text, with a short name for its file.
func problems(_ text: String, environment: [String: String] = [:]) throws -> [String] {
    try withFile(text) { path in
        do {
            _ = try RangingConfiguration.load(file: path, environment: environment)
            return []
        } catch let error as ConfigurationError {
            return error.problems.map { $0.replacingOccurrences(of: path, with: "f") }
        }
    }
}

func site(_ text: String, environment: [String: String] = [:]) throws -> RangingConfiguration {
    try withFile(text) { try RangingConfiguration.load(file: $0, environment: environment) }
}

@Suite("What a site sets about ranging")
struct RangingConfigurationTests {
    private let id = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 7, minor: 9)

    @Test(
        "is the defaults where nothing is set",
        arguments: ["", "# nothing\n", "ranging:\n", "sources: [sim]\nregions:\n"])
    func empty(_ text: String) throws {
        #expect(try site(text) == RangingConfiguration())
        #expect(RangingConfiguration().settings == RangingSettings())
    }

    @Test("every single value can be set, in the file and by its variable", arguments: rangingSettings.map(\.name))
    func single(name: String) throws {
        let setting = try #require(rangingSettings.first { $0.name == name })
        // Some value that is allowed, in the order of the pairs that belong together, and not the default.
        let value = try #require(
            ["arma", "0.5", "1.5", "7", "2", "90", "700"].first { value in
                (try? problems("", environment: [setting.variable: value])) == [] && value != setting.standard
            })
        let fromVariable = try site("", environment: [setting.variable: value])
        #expect(fromVariable != RangingConfiguration())
        var text = ""
        for (depth, part) in name.split(separator: ".").enumerated() {
            text += String(repeating: "  ", count: depth) + "\(part):" + "\n"
        }
        text.removeLast()
        #expect(try site(text + " \(value)\n") == fromVariable)
        #expect(try site(text + " \(setting.standard)\n") == RangingConfiguration())
    }

    @Test("corrections are per UUID, major value, or beacon, and the most exact counts")
    func corrections() throws {
        let site = try site(
            """
            ranging:
              corrections:
                - uuid: \(museum)
                  offset_db: -3
                - {uuid: \(museum.uppercased()), major: 7, exit_s: 60}
                - uuid: \(museum)
                  major: 7
                  minor: 9
                  measured_power: -63.5
                  deviation_db: 1.5
            """)
        #expect(site.settings.corrections.count == 3)
        let exact = site.settings.corrections[BeaconConstraint(id)]
        #expect(exact == BeaconCorrection(measuredPower: -63.5, deviation: 1.5))
        var ranger = Ranger(settings: site.settings)
        ranger.add(
            Sighting(time: Timestamp(seconds: 1), rssi: -60, beacon: IBeacon(id: id, measuredPower: -59)))
        let explanation = ranger.explanation(of: id, at: Timestamp(seconds: 1))
        #expect(explanation?.measuredPower == -63.5)
        #expect(explanation?.exitTime == 60)
    }

    @Test("receivers are corrected by their source, whatever its place in the list")
    func receivers() throws {
        let site = try site("ranging:\n  receivers:\n    hci1: -4.5\n    \"h4:tcp:a:1\": 2\n")
        #expect(site.settings(for: ["sim", "hci1"]).receiverCorrections == [1: -4.5])
        #expect(site.settings(for: ["h4:tcp:a:1"]).receiverCorrections == [0: 2])
        #expect(site.settings(for: ["hci0"]).receiverCorrections.isEmpty)
    }

    @Test("regions have a name, whose beacons, and a dwell time")
    func regions() throws {
        let site = try site(
            """
            regions:
              - {name: House, uuid: \(museum)}
              - {name: Hall 7, uuid: \(museum), major: 7, dwell_s: 30}
            """)
        #expect(
            site.settings.regions == [
                BeaconRegion(identifier: "House", constraint: BeaconConstraint(uuid: id.uuid)),
                BeaconRegion(identifier: "Hall 7", constraint: BeaconConstraint(uuid: id.uuid, major: 7), dwell: 30),
            ])
    }

    @Test("flood rules are off at 0")
    func flood() throws {
        let site = try site("ranging: {flood: {pairs_per_uuid: 50, identities_per_address: 0}}")
        #expect(site.settings.flood.pairsPerUUID == 50 && site.settings.flood.identitiesPerAddress == nil)
    }

    @Test(
        "what is wrong is told with its line and what is allowed",
        arguments: [
            ("ranging:\n  near: 2", "f:2:3: 'near' is not known in ranging: did you mean 'near_m'?"),
            ("ranging: {filter: median}", "f:1:19: ranging.filter is 'median': allowed are window, altbeacon-mean"),
            ("ranging: {near_m: wide}", "f:1:19: ranging.near_m is 'wide': a number from 0.01 to 1000 is needed"),
            ("ranging: {maximum_beacons: 2.5}", "a whole number from 1 to 1000000 is needed"),
            ("ranging: {maximum_beacons: 0x+5}", "a whole number from 1 to 1000000 is needed"),
            ("ranging: {flood: 7}", "ranging.flood needs `key: value` lines"),
            ("ranging: {near_m: 0.2}", "f:1:19: ranging.near_m must not be less than ranging.immediate_m: 0.2"),
            ("ranging: {exit_floor_s: 40}", "f:1:25: ranging.exit_cap_s must not be less than ranging.exit_floor_s"),
            ("ranging:\n  corrections: 3", "ranging.corrections must be a list, with a dash"),
            ("ranging:\n  corrections:\n    - major: 3", "f:3:7: uuid is missing"),
            ("ranging:\n  corrections:\n    - {uuid: 12, offset_db: 1}", "f:3:14: uuid is '12': 32 hexadecimal digits"),
            ("ranging:\n  corrections:\n    - {uuid: \(museum)}", "f:3:7: this correction corrects nothing"),
            (
                "ranging:\n  corrections:\n    - {uuid: \(museum), offset_db: 1, measured_power: -60}",
                "offset_db has no effect beside measured_power"
            ),
            (
                "ranging:\n  corrections:\n    - {uuid: \(museum), minor: 1, offset_db: 1}",
                "minor means nothing without major"
            ),
            (
                "ranging:\n  corrections:\n    - {uuid: \(museum), exit_s: 9}\n    - {uuid: \(museum), exit_s: 8}",
                "f:4:7: these beacons have a correction already"
            ),
            ("ranging: {receivers: [hci0]}", "ranging.receivers must be a list of `source: decibels` lines"),
            ("ranging: {receivers: {hci0: loud}}", "the correction of hci0 is 'loud': a number from -60 to 60"),
            ("regions: [{uuid: \(museum)}]", "f:1:11: this region has no name"),
            ("regions: [{name: a, uuid: \(museum)}, {name: a, uuid: \(museum)}]", "another region called 'a'"),
            ("regions: [{name: a, uuid: \(museum), major: 70000}]", "major is '70000': a whole number from 0 to 65535"),
            ("ranging: [", "this is not YAML"),
        ])
    func wrong(text: String, words: String) throws {
        let problems = try problems(text)
        #expect(problems.joined(separator: "\n").contains(words), "\(problems)")
    }

    @Test("everything that is wrong is told at once, variables too")
    func all() throws {
        let problems = try problems(
            "ranging: {near_m: x, filter: y}\nregions: [{name: z}]\n", environment: ["BEACOND_RANGING_EXIT_CAP_S": "w"])
        #expect(problems.count == 4)
        #expect(problems.last == "BEACOND_RANGING_EXIT_CAP_S is 'w': a number from 1 to 3600 is needed")
    }

    @Test("a file that is not there is an empty one only where that is allowed")
    func missing() throws {
        let missing = "/nonexistent.yaml"
        #expect(
            try RangingConfiguration.load(file: missing, mayBeMissing: true, environment: [:])
                == RangingConfiguration())
        #expect(throws: ConfigurationError.self) { try RangingConfiguration.load(file: missing, environment: [:]) }
    }

    @Test("no text makes it fall over", arguments: 1...40 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) throws {
        let good = """
            ranging:
              filter: ewma
              flood: {pairs_per_uuid: 50}
              receivers: {hci0: -3}
              corrections:
                - uuid: \(museum)
                  major: 7
                  offset_db: 3
            regions: [{name: a, uuid: \(museum), dwell_s: 3}]
            """
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            var text = Array(good.unicodeScalars)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<text.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: text.remove(at: index)
                case 1: text.insert(text[Int.random(in: 0..<text.count, using: &generator)], at: index)
                default:
                    text[index] =
                        Array(":-{}[]#&*!|>'\"%@`\n\t 0é".unicodeScalars).randomElement(using: &generator) ?? "x"
                }
            }
            let mutated = String(String.UnicodeScalarView(text))
            let first = try problems(mutated)
            // The same text has the same problems, and each of them a place.
            #expect(try problems(mutated) == first)
            #expect(first.allSatisfy { $0.hasPrefix("f") || $0.hasPrefix("ranging.") })
        }
    }
}
