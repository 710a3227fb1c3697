import Beacon
import Console
import Ranging
import Reports
import Testing
import Text

@Suite struct WindowTests {
    private let now = Timestamp(rfc3339: "2026-11-21T12:00:00Z") ?? Timestamp(seconds: 0)

    private func window(_ since: String?, _ until: String?) throws(ReportWindow.Problem) -> ReportWindow {
        try ReportWindow(
            since: since.flatMap { ReportMoment($0) }, until: until.flatMap { ReportMoment($0) }, now: now)
    }

    @Test("a day is reported where nothing is said, also before an end")
    func dayIsReported() throws {
        let usual = try window(nil, nil)
        #expect(usual.until == now && usual.since == now.advanced(bySeconds: -86_400))
        let past = try window(nil, "2020-01-02T00:00:00Z")
        #expect(past.since == Timestamp(rfc3339: "2020-01-01T00:00:00Z"))
        #expect(try window("all", nil).since == nil)
        #expect(try window("1h", "2030-01-01T00:00:00Z").until == now)
    }

    @Test(
        "what can be no window is told with its times",
        arguments: [
            ("2026-11-21T12:00:01Z", nil, "in the future"),
            ("2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z", "in the future"),
            ("1h", "2h", "is not before until"),
            ("2026-11-20T00:00:00Z", "2026-11-19T00:00:00Z", "is not before until"),
            ("24h", "2020-01-01T00:00:00Z", "is not before until"), ("1h", "1h", "is not before until"),
        ] as [(String, String?, String)])
    func whatCanBeNoWindow(since: String, until: String?, words: String) throws {
        let problem = #expect(throws: ReportWindow.Problem.self) { try window(since, until) }
        #expect(problem?.description.contains(words) == true)
    }

    @Test("a window shows only its sightings")
    func windowShows() throws {
        var assembly = ReportAssembly(span: time(100)...time(114), localTime: .utc)
        for minute in 0..<10 {
            let start = Double(minute) * 60
            assembly.add(
                BeaconInterval(
                    id: beacon(1), start: time(start), seconds: 60, firstSeen: time(start), lastSeen: time(start + 60),
                    count: 600, measuredPower: -59, levels: Histogram()))
        }
        let report = assembly.report()
        #expect(report.count == 140)
        // Nobody knows which of the 600 were in these 14 s, and that is said.
        #expect(report.isAbout)
        #expect(report.rendered(as: .text, localTime: .utc).contains("\nabout 140 sightings of 1 beacon"))
        #expect(report.rendered(as: .json, localTime: .utc).contains("\"count_is_about\":true"))
        #expect(report.rendered(as: .html, localTime: .utc).contains("sightings, about"))
        #expect(report.beacons.first?.firstSeen == time(100) && report.beacons.first?.lastSeen == time(114))
        #expect(report.beacons.first?.series.reduce(0) { $0 + $1.count } == 140)
    }

    @Test("a window of whole intervals counts exactly, and does not say about")
    func windowOfWhole() {
        var assembly = ReportAssembly(span: time(60)...time(180), localTime: .utc)
        for minute in 0..<5 {
            let start = Double(minute) * 60
            assembly.add(
                BeaconInterval(
                    id: beacon(1), start: time(start), seconds: 60, firstSeen: time(start + 1),
                    lastSeen: time(start + 59),
                    count: 600, measuredPower: -59, levels: Histogram()))
        }
        let report = assembly.report()
        #expect(report.count == 1200 && !report.isAbout)
        #expect(!report.rendered(as: .text, localTime: .utc).contains("about"))
        #expect(report.rendered(as: .json, localTime: .utc).contains("\"count_is_about\":false"))
    }

    @Test("the series of a window begins with a whole interval, and no bucket has two")
    func seriesOfWindow() {
        var assembly = ReportAssembly(span: time(90)...time(360), resolution: 60, localTime: .utc)
        for minute in 0..<10 {
            let start = Double(minute) * 60
            assembly.add(
                BeaconInterval(
                    id: beacon(1), start: time(start), seconds: 60, firstSeen: time(start + 1),
                    lastSeen: time(start + 59), count: 60, measuredPower: -59))
        }
        let report = assembly.report()
        #expect(report.bucketSeconds == 60)
        #expect(report.beacons.first?.series.map(\.count) == [30, 60, 60, 60, 60])
        let json = report.rendered(as: .json, localTime: .utc)
        #expect(json.contains("\"presence\":{\"from\":\"\(time(60).rfc3339)\",\"bucket_s\":60"))
    }

    @Test(
        "a series has at most one bucket more than asked for, and none behind the end",
        arguments: [
            (0, 86_400, 144), (30, 86_430, 145), (59, 8640, 144), (1, 2_592_001, 145),
        ] as [(Double, Double, Int)])
    func bucketsOfSeries(first: Double, last: Double, buckets: Int) {
        var assembly = ReportAssembly(span: time(first)...time(last), resolution: 60, localTime: .utc)
        let start = ((last - 1) / 60).rounded(.down) * 60
        assembly.add(
            BeaconInterval(
                id: beacon(1), start: time(start), seconds: 60, firstSeen: time(start), lastSeen: time(last), count: 1,
                measuredPower: -59))
        let series = assembly.report().beacons.first?.series ?? []
        #expect(series.count == buckets && series.last?.count == 1)
    }

    @Test("a window before everything has no figures, and says which it is", arguments: ReportFormat.allCases)
    func windowBefore(format: ReportFormat) throws {
        var assembly = ReportAssembly(span: time(1000)...time(2000), localTime: .utc)
        assembly.add(
            BeaconInterval(
                id: beacon(1), start: time(5000), seconds: 60, firstSeen: time(5000), lastSeen: time(5060), count: 600,
                measuredPower: -59))
        let text = assembly.report().rendered(as: format, localTime: .utc)
        switch format {
        case .text, .html:
            #expect(text.contains("No iBeacon was heard from 1970-01-01 00:16 to 1970-01-01 00:33 UTC"))
            // The page's style has numbers of its own.
            let figures = text.split(separator: "</style>").last ?? ""
            #expect(!figures.contains("600"))
        case .csv: #expect(text.split(separator: "\n").count == 1)
        case .json: #expect(text.contains("\"count\":0") && text.contains("\"beacons\":[]"))
        }
    }
}
