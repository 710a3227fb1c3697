import Beacon
import Console
import Foundation
import Ranging
import Testing
import Text

private let uuid = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)
private let engine = BeaconID(uuid: uuid, major: 1, minor: 1)
private let globe = BeaconID(uuid: uuid, major: 1, minor: 2)

@Suite("An explanation")
struct ExplanationTextTests {
    /// The globe is the nearest, and 6.5 dB stronger than the engine since 20 s; then the engine by `lead`, for 1 s.
    private func explanation(of id: BeaconID, lead: Double, source: SourceID = 0) throws -> BeaconExplanation {
        var settings = RangingSettings()
        settings.placeDeviation = 1e6
        settings.corrections = [BeaconConstraint(engine): BeaconCorrection(offset: 0.5)]
        settings.regions = [BeaconRegion(identifier: "Hall\u{7} 1", constraint: BeaconConstraint(uuid: uuid, major: 1))]
        var ranger = Ranger(settings: settings)
        var time = 0.0
        while time < 22.5 {
            for (beacon, level) in [(engine, time < 20 ? -76.5 : -70 + lead), (globe, -70)] {
                ranger.add(
                    Sighting(
                        time: Timestamp(seconds: time), source: source, rssi: Int8(level.rounded()),
                        beacon: IBeacon(id: beacon, measuredPower: -59)))
            }
            time += 0.25
            if time == time.rounded() { _ = ranger.tick(at: Timestamp(seconds: time)) }
        }
        return try #require(ranger.explanation(of: id, at: Timestamp(seconds: 22.5)))
    }

    private func text(_ explanation: BeaconExplanation, content: ContentExplanation? = nil) -> String {
        ExplanationText(explanation, names: [globe: "Star\u{1B} Globe"], sources: ["hci0"], content: content)
            .text(Terminal(isTerminal: false))
    }

    @Test("goes from the readings to the decision")
    func way() throws {
        let text = text(try explanation(of: engine, lead: -8))
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let labels = [
            "at", "presence", "readings", "level", "power", "distance", "proximity", "nearest", "allowance", "regions",
            "content",
        ]
        let found = lines.dropFirst().compactMap { line in labels.first { line.hasPrefix($0 + " ") } }
        #expect(found == labels)
        #expect(text.contains("-78 (0.2 s)") || text.contains("-78 (0.3 s)"))
        #expect(text.contains("dBm from hci0, of 8 readings"))
        #expect(text.contains(" ago, expected every 0.3 s; exits after 5.0 s of silence"))
        #expect(text.contains("-59 dBm at 1 m claimed, -58.5 after correction"))
        #expect(text.contains("no: Star\u{FFFD} Globe is, and this one is 8.5 dB weaker"))
        #expect(text.contains("content    not known here"))
        #expect(!text.contains("\u{7}") && !text.contains("\u{1B}"))
    }

    @Test(
        "says what is missing to become the nearest",
        arguments: [(2.0, "within the margin"), (4.0, "has not led for long enough")])
    func missing(lead: Double, words: String) throws {
        let text = text(try explanation(of: engine, lead: lead))
        #expect(text.contains(words), "\(text)")
        #expect(text.contains("it will be in") == (lead > 2.5))
    }

    @Test("of the nearest says so, and how it became that")
    func nearest() throws {
        let text = text(
            try explanation(of: globe, lead: -8),
            content: ContentExplanation(manifest: "v1/beacons/x.json", reason: "on the disk since noon"))
        #expect(text.contains("  nearest    yes\n"))
        #expect(text.contains("became the nearest: there was none") || text.contains("took it from"))
        #expect(text.contains("on the disk since noon"))
    }

    @Test("is one JSON object with everything in it")
    func json() throws {
        let explanation = try explanation(of: engine, lead: 4)
        let content = ContentExplanation(manifest: nil, reason: "the site has none")
        let text = ExplanationText(explanation, names: [engine: "Engine"], sources: ["hci0"], content: content).json
        let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["name"] as? String == "Engine")
        #expect((object["readings"] as? [[String: Any]])?.count == explanation.readings.count)
        #expect((object["verdict"] as? [String: Any])?["reason"] as? String == "too-short")
        #expect(((object["verdict"] as? [String: Any])?["holder"] as? [String: Any])?["minor"] as? Int == 2)
        #expect((object["receivers"] as? [[String: Any]])?.first?["source"] as? String == "hci0")
        #expect((object["content"] as? [String: Any])?["reason"] as? String == "the site has none")
        #expect(object["measured_power_corrected"] as? Double == -58.5)
        #expect(object["present"] as? Bool == true && object["nearest"] as? Bool == false)
    }
}

@Suite("Which beacon is meant")
struct BeaconQueryTests {
    private let names = [engine: "Steam Engine"]

    @Test(
        "by its identity, as much of it as is enough, or by its name",
        arguments: [
            "636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/1", "636F3F8F64914BEE95F7D8CC64A863B5/1/1", "1.1", "1/1",
            "steam engine",
        ])
    func one(text: String) throws {
        let query = try #require(BeaconQuery(argument: text))
        #expect(try query.only(among: [engine, globe], names: names) == engine)
    }

    @Test(
        "what fits several, or none, is told with what there is",
        arguments: ["\(uuid)", "\(uuid)/1", "9.9", "Telescope", "\(uuid)/x"])
    func several(text: String) throws {
        let query = try #require(BeaconQuery(argument: text))
        let error = #expect(throws: BeaconQuery.Failure.self) { try query.only(among: [engine, globe], names: names) }
        #expect(error?.description.lowercased().contains("\(engine)  steam engine") == true)
        #expect(error?.description.lowercased().contains("\(globe)") == true)
    }

    @Test("a part that is enough is enough")
    func part() throws {
        #expect(try BeaconQuery(argument: "\(uuid)")?.only(among: [globe], names: [:]) == globe)
        #expect(BeaconQuery(argument: "") == nil)
    }
}

@Suite("Which beacons are wanted")
struct BeaconFilterTests {
    private let names = [engine: "Steam Engine", globe: "1.1"]

    private func filter(_ texts: String...) throws -> BeaconFilter {
        BeaconFilter(try texts.map { try #require(BeaconQuery(argument: $0)) })
    }

    @Test("those that any query names, by identity or by name in any case; all without a query")
    func contained() throws {
        for (texts, wanted) in [
            ([], [engine, globe]), (["STEAM engine"], [engine]), (["9.9", "steam ENGINE"], [engine]),
            (["\(globe)"], [globe]), (["\(uuid)"], [engine, globe]), (["Steam"], []),
            // An identity, and also the name of another beacon.
            (["1.1"], [engine, globe]),
        ] as [([String], [BeaconID])] {
            let filter = BeaconFilter(try texts.map { try #require(BeaconQuery(argument: $0)) })
            #expect([engine, globe].filter { filter.contains($0, name: names[$0]) } == wanted, "\(texts)")
            #expect(filter.isEmpty == texts.isEmpty && filter.texts == texts)
        }
        #expect(try !filter("steam engine").contains(engine, name: nil))
    }

    @Test("the first name that no beacon has is told, with what was meant")
    func unknownNames() throws {
        let known = names.values
        try filter("steam engine", "STEAM ENGINE", "9.9", "1.1").requireNames(known)
        try filter().requireNames([String]())
        let wrong = try filter("Steam Engine", "Steam Engin", "Telescope")
        let error = #expect(throws: BeaconQuery.Failure.self) { try wrong.requireNames(known) }
        #expect(error?.problem == "Steam Engin: no beacon has this name: did you mean Steam Engine?")
        #expect(error?.remedy.contains("  Steam Engine") == true)
        #expect(throws: BeaconQuery.Failure.self) { try wrong.requireNames([String]()) }
        let excessive = try filter("1.70000")
        #expect(throws: BeaconQuery.Failure.self) { try excessive.requireNames(known) }
    }
}
