import Beacon
import Foundation
import History
import Platform
import Reports
import Settings
import TestSupport
import Testing

/// A day of a busy place, on the disk and as a page.
@Suite(.timeLimit(.minutes(30))) struct DayTests {
    /// How long the report takes is measured by tools/bench/history.
    @Test("a day of ten million sightings takes less than 50 MB, and its page less than 4 MB", .timeLimit(.minutes(20)))
    func dayOfTen() async throws {
        let folder = try TemporaryFolder()
        // It takes most of a minute, in which other tests need the pool's threads.
        let (written, reported, page) = try await OwnThread.run { try Self.writeDay(to: folder.path("history.sqlite")) }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            try FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")[.size] as? Int ?? 0
        }.reduce(0, +)
        #expect(written > 8_000_000)
        #expect(reported == written)
        #expect(files < 50_000_000)
        #expect(page.utf8.count < 4_000_000)
        if let target = ProcessInfo.processInfo.environment["BEACOND_REPORT_PAGES"] {
            try page.write(toFile: "\(target)/large.html", atomically: false, encoding: .utf8)
        }
    }

    /// - Returns: how many sightings the day had, how many its report has, and its page.
    private static func writeDay(to file: String) throws -> (written: Int, reported: Int, page: String) {
        let store = try HistoryStore(HistorySettings(file: file))
        defer { store.close() }
        let day = SimulatedDay()
        let written = try day.play { over in try store.write(over, []) }
        let start = Timestamp(seconds: Double(day.start))
        let span = start...start.advanced(bySeconds: 86_400)
        var assembly = ReportAssembly(span: span, resolution: 60, localTime: .utc)
        _ = try store.play(span, into: &assembly)
        let report = assembly.report()
        return (written, report.count, report.rendered(as: .html, localTime: .utc))
    }

    /// Not a test of its own: pages to be looked at.
    @Test(
        "pages of a day, to be looked at",
        .enabled(
            if: ProcessInfo.processInfo.environment["BEACOND_REPORT_PAGES"] != nil,
            "set BEACOND_REPORT_PAGES to a folder for pages to look at"))
    func pages() throws {
        let target = ProcessInfo.processInfo.environment["BEACOND_REPORT_PAGES"] ?? "."
        var day = SimulatedDay()
        day.beacons = 16
        day.spacing = 9
        day.sensitivity = -79
        day.rate = 4
        let names = [
            "Entrance", "Steam Engine", "Loom", "Printing Press", "Telegraph & Telephone", "Tide Clock", "Orrery",
            "Whale <Skeleton>", "Café", "Map Room", "Herbarium", "Gems", "Coins", "Armoury", "Globe Hall", "Exit",
        ]
        let start = Timestamp(seconds: Double(day.start))
        let span = start...start.advanced(bySeconds: 86_400)
        var assembly = ReportAssembly(span: span, resolution: 60, localTime: .utc)
        var spans: [Int: RecordedSpan] = [:]
        day.play { over in
            for beacon in over.accumulator.beacons { assembly.add(beacon) }
            for span in over.spans { spans[span.id] = span }
        }
        for span in spans.values { assembly.add(span) }
        assembly.add(
            SyncResult(
                time: start.advanced(bySeconds: 4000), beacon: day.id(1), outcome: .ready, fetchedBytes: 1_200_000))
        assembly.add(
            SyncResult(
                time: start.advanced(bySeconds: 9000), beacon: day.id(2), outcome: .failed,
                text: "https://museum.example/v1/site.json: the server answered 503"))
        assembly.add(SyncResult(time: start.advanced(bySeconds: 9500), outcome: .site, text: "site     revision 7"))
        var report = assembly.report(
            names: Dictionary(uniqueKeysWithValues: names.enumerated().map { (day.id($0), $1) }))
        report.sources = ["hci0"]
        for format in ReportFormat.allCases {
            let page = report.rendered(as: format, localTime: .utc)
            #expect(page.contains("Printing Press"))
            try page.write(toFile: "\(target)/day.\(format)", atomically: false, encoding: .utf8)
        }
    }
}
