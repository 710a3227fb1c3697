import Beacon
import Console
import Foundation
import Health
import Reports
import Testing
import Text

private let hour = time(3600)...time(7200)

private func problem(
    _ minor: UInt16, _ kind: HealthProblem.Kind, since: Int64, last: Double,
    _ evidence: String = "not heard for 5 min by pi-1"
) -> ReportedProblem {
    ReportedProblem(
        beacon: beacon(minor), problem: HealthProblem(kind: kind, since: since, evidence: evidence), last: time(last))
}

@Suite("What was wrong with beacons, in a report") struct ProblemTests {
    private func history(_ problems: [ReportedProblem], names: [BeaconID: String] = [:]) -> HistoryReport {
        var assembly = ReportAssembly(span: hour, localTime: .utc)
        for problem in problems { assembly.add(problem) }
        return assembly.report(names: names)
    }

    @Test("what touches the span is in it, the newest first, and once with its last end")
    func span() {
        let health = history([
            problem(1, .missing, since: 0, last: 3599), problem(2, .weak, since: 0, last: 3600),
            problem(3, .slow, since: 7200, last: 7300), problem(4, .moved, since: 7201, last: 9000),
            problem(5, .claim, since: 4000, last: 4060), problem(5, .claim, since: 4000, last: 5000),
            problem(5, .claim, since: 4000, last: 4120), problem(5, .claim, since: 6000, last: 6060),
        ]).health
        #expect(health.map(\.beacon.minor) == [3, 5, 5, 2])
        #expect(health.map(\.seconds) == [0, 60, 1000, 3600])
    }

    @Test("what lasted until the end still lasts, also where it was written a minute or two before", arguments: [
        (9000, true), (7200, true), (7080, true), (7000, false),
    ] as [(Double, Bool)])
    func lasting(last: Double, isLasting: Bool) throws {
        let report = history([problem(1, .missing, since: 3600, last: last)], names: [beacon(1): "Whale"])
        let found = try #require(report.health.first)
        #expect(found.isLasting == isLasting)
        #expect(found.last <= hour.upperBound)
        #expect(found.name == "Whale")
        let json = report.rendered(as: .json)
        #expect(json.contains(#""until":null"#) == isLasting, "\(json)")
    }

    private static let hostile = "<script>\u{1B}[31m\u{202E}غزال"

    @Test("every format for people has it, also where no beacon was heard", arguments: [true, false])
    func formats(isHeard: Bool) throws {
        var report = isHeard ? report([signal(1, until: 20) { _ in -60 }]) : history([])
        report.health = history(
            [problem(1, .missing, since: 3600, last: 4200), problem(2, .weak, since: 3600, last: 9000, Self.hostile)],
            names: [beacon(2): Self.hostile]
        ).health
        let text = report.rendered(as: .text, localTime: .utc)
        #expect(text.contains("HEALTH") && text.contains("missing  1970-01-01 01:00  10 min"), "\(text)")
        #expect(text.contains("60 min, still") && !text.contains("\u{1B}"), "\(text)")
        let html = report.rendered(as: .html, localTime: .utc)
        #expect(html.contains("<h2>Health</h2>") && html.contains("not heard for 5 min by pi-1"))
        #expect(!html.contains("<script") && html.contains("&lt;script&gt;"))
        #expect(html.contains("beacon with a problem") == isHeard)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(report.rendered(as: .json).utf8)) as? [String: Any])
        let health = try #require(json["health"] as? [[String: Any]])
        #expect(health.map { $0["problem"] as? String } == ["missing", "weak"])
        #expect(health[0]["since"] as? String == "1970-01-01T01:00:00.000000Z")
        #expect(health[0]["until"] as? String == "1970-01-01T01:10:00.000000Z")
    }

    @Test("its table fits a terminal, and tells how many more there are", arguments: [40, 80, 200])
    func terminal(columns: Int) {
        let report = history((0..<40).map { problem($0, .weak, since: 3600 + Int64($0), last: 5000) })
        let text = report.rendered(as: .text, terminal: Terminal(isTerminal: true, columns: columns), localTime: .utc)
        #expect(text.split(separator: "\n").allSatisfy { displayWidth(String($0)) <= columns }, "\(text)")
        #expect(text.contains("and 25 more"))
    }

    @Test("a beacon that was missing all the time can be asked for by its name")
    func filter() throws {
        let report = history(
            [problem(1, .missing, since: 3600, last: 9000), problem(2, .weak, since: 3600, last: 9000)],
            names: [beacon(1): "Whale"])
        let one = try report.only(BeaconFilter([try #require(BeaconQuery(argument: "whale"))]))
        #expect(one.health.map(\.beacon) == [beacon(1)])
        #expect(one.rendered(as: .text, localTime: .utc).hasPrefix("None of these beacons was heard"))
        let rooms = RoomReport(of: [], report.health, span: hour, names: KnownBeacons(names: [beacon(1): "Whale"]))
        #expect(
            try rooms.only(BeaconFilter([try #require(BeaconQuery(argument: "whale"))])).health.map(\.beacon) == [
                beacon(1)
            ])
        #expect(throws: BeaconQuery.Failure.self) {
            try report.only(BeaconFilter([try #require(BeaconQuery(argument: "9.9"))]))
        }
    }

    @Test("the report by room has it in every format for people", arguments: [true, false])
    func rooms(isHeard: Bool) {
        let stays = [
            RoomStay(beacon: beacon(1), room: ReportedRoom(name: "Hall", floor: 0), span: time(4000)...time(5000))
        ]
        let report = RoomReport(
            of: isHeard ? stays : [], [problem(2, .missing, since: 3600, last: 9000)], span: hour,
            names: KnownBeacons(names: [beacon(2): "Whale"]), localTime: .utc)
        let text = report.rendered(as: .text, localTime: .utc)
        #expect(text.contains("Whale   missing  1970-01-01 01:00  60 min, still"), "\(text)")
        #expect(report.rendered(as: .html, localTime: .utc).contains("<h2>Health</h2>"))
        #expect(report.rendered(as: .json).contains(#""name":"Whale","problem":"missing""#))
    }

    @Test("a flood of problems is limited")
    func flood() {
        let problems = (0..<5000).map { problem(UInt16($0), .impostor, since: 3600 + Int64($0 % 1000), last: 7000) }
        #expect(history(problems).health.count == ReportedProblem.most)
    }
}
