import ContentServer
import CurationStore
import Testing

@Suite("Reports from a broker")
struct ReportJudgeTests {
    private let topics = ReportTopics(prefix: "site/beacons")

    @Test("come on the topic of a device, and on no other")
    func topic() {
        #expect(topics.pattern == "site/beacons/+/report")
        #expect(topics.host(of: "site/beacons/hall-3/report") == "hall-3")
        for other in [
            "", "site/beacons/report", "site/beacons//report", "site/beacons/a/b/report", "beacons/hall/report",
            "site/beacons/hall/status", "site/beacons/hall.3/report", "site/beacons/+/report",
            "site/beaconsx/hall/report",
            "site/beacons/hall/report/", "site/beacons/\u{1B}[2J/report",
            "site/beacons/\(String(repeating: "a", count: 65))/report",
        ] { #expect(topics.host(of: other) == nil, "\(other)") }
    }

    @Test("are refused if they are too large or retained, or on no topic of a device")
    func refused() {
        var judge = ReportJudge(topics)
        let topic = "site/beacons/hall/report"
        #expect(judge.judge(topic: topic, payload: [1], isRetained: false, at: 0) == .take(host: "hall", json: [1]))
        for verdict in [
            judge.judge(topic: topic, payload: nil, isRetained: false, at: 0),
            judge.judge(topic: topic, payload: [1], isRetained: true, at: 0),
            judge.judge(topic: "x", payload: [1], isRetained: false, at: 0),
        ] {
            guard case .refuse = verdict else {
                Issue.record("\(verdict)")
                continue
            }
        }
    }

    @Test("of one device have a limit in a minute, which is no other device's")
    func flood() {
        var judge = ReportJudge(topics)
        func isTaken(_ host: String, at now: Double) -> Bool {
            judge.judge(topic: "site/beacons/\(host)/report", payload: [], isRetained: false, at: now)
                == .take(host: host, json: [])
        }
        for _ in 0..<ReportJudge.mostOfDevice { #expect(isTaken("a", at: 1)) }
        #expect(!isTaken("a", at: 59))
        #expect(isTaken("b", at: 59))
        #expect(isTaken("a", at: 60))
    }

    @Test("that cannot be stored now are tried again, and those that never can are not")
    func failures() {
        var judge = ReportJudge(topics)
        func pause(_ code: StoreError.Code) -> Double? {
            guard case .again(let seconds, _) = judge.failure(StoreError(code, "no")) else { return nil }
            return seconds
        }
        #expect(pause(.invalid) == nil)
        #expect(pause(.limit) == nil)
        #expect(pause(.tooOften) == 60)
        #expect((0..<8).map { _ in pause(.full) } == [1, 2, 4, 8, 16, 32, 60, 60])
        judge.hasStored()
        #expect(pause(.busy) == 1)
    }

    @Test("that are wrong fill no log")
    func log() {
        var limit = LogLimit()
        let lines = (0..<1000).compactMap { limit.line("line \($0)", at: Double($0) / 100) }
        #expect(lines == (0..<5).map { "line \($0)" })
        #expect(limit.line("later", at: 61) == "later (and 995 others before)")
        #expect(limit.line("then", at: 62) == "then")
    }
}
