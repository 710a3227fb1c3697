import Beacon
import Foundation
import History
import Reports
import Settings
import TestSupport
import Testing

/// Thirty days of a hundred beacons, and how long reports on them take. It is heavy, and only an optimised build says
/// something about time: `tools/bench/history` runs it.
@Suite(.serialized) struct MonthTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test(
        "writes thirty days of a hundred beacons",
        .enabled(
            if: environment["BEACOND_BENCH_HISTORY"] != nil,
            "takes minutes: set BEACOND_BENCH_HISTORY to a folder, or run tools/bench/history"),
        .timeLimit(.minutes(30)))
    func writesThirty() throws {
        let file = "\(Self.environment["BEACOND_BENCH_HISTORY"] ?? ".")/history.sqlite"
        try #require(!FileManager.default.fileExists(atPath: file), "\(file) is there already")
        // One day is played, and written as many, each at its own time.
        var minutes: [(beacons: [BeaconInterval], spans: [RecordedSpan])] = []
        day.play { minutes.append(($0.accumulator.beacons, $0.spans)) }
        let store = try HistoryStore(HistorySettings(file: file, maximumBytes: 2_000_000_000))
        for number in 0..<days {
            let shift = Double(number * 86_400)
            for (beacons, spans) in minutes {
                try store.write(
                    beacons.map { $0.shifted(by: shift) }, spans.map { $0.shifted(by: shift, number * 1_000_000) }, [])
            }
            let end = Timestamp(seconds: Double(day.start + (number + 2) * 86_400))
            try store.tidy(olderThan: nil, laterThan: end)
        }
        store.close()
    }

    private let days = Int(environment["BEACOND_BENCH_DAYS"] ?? "") ?? 30

    /// The first; the last is yesterday, so that a daemon believes it.
    private var day: SimulatedDay {
        var day = SimulatedDay()
        day.start = (Int(Date().timeIntervalSince1970) / 86_400 - days) * 86_400
        return day
    }

    /// In a process of its own, so that its memory is that of the reports.
    @Test(
        "reports over thirty days of a hundred beacons",
        .enabled(
            if: environment["BEACOND_BENCH_HISTORY"] != nil,
            "needs what the test above has written: run tools/bench/history"),
        .timeLimit(.minutes(30)))
    func reportsOver() throws {
        let file = "\(Self.environment["BEACOND_BENCH_HISTORY"] ?? ".")/history.sqlite"
        try #require(FileManager.default.fileExists(atPath: file), "\(file) is not there")
        let store = try HistoryStore(HistorySettings(file: file, maximumBytes: 2_000_000_000))
        let end = Timestamp(seconds: Double(day.start + days * 86_400))
        let clock = ContinuousClock()
        let used = try store.usedBytes
        print("\(days) days, \(used) octets in use, \(memory("VmRSS")) kB resident before")
        var figures = [Figure(what: "the database of \(days) days", value: Double(used) / 1e6, unit: "MB")]
        for length in [1, 2, 7, 30, 30] where length <= days {
            let scale = ReportScale(end.advanced(bySeconds: Double(-length * 86_400))...end)
            var report = HistoryReport()
            let reading = try clock.measure {
                var assembly = ReportAssembly(
                    span: scale.span, resolution: scale.resolution(interval: 60), localTime: .utc)
                _ = try store.play(scale.span, into: &assembly, coarsest: scale.coarsest)
                report = assembly.report()
            }
            var size = 0
            let rendering = clock.measure { size = report.rendered(as: .html, localTime: .utc).utf8.count }
            let visits = report.beacons.reduce(0) { $0 + $1.visits.visits.count }
            print(
                "\(length) days: report \(reading), as a page \(rendering) (\(size) octets), \(report.count) "
                    + "sightings, \(visits) visits, \(memory("VmRSS")) kB resident, \(memory("VmHWM")) kB at most")
            #expect(report.beacons.count == 100 && report.count > 8_000_000 * length)
            #expect(reading + rendering < .seconds(1))
            let what = "a page of \(length) days"
            // One length comes twice.
            if figures.last?.what != what {
                figures.append(
                    Figure(
                        what: what, value: (reading + rendering) / .seconds(1), unit: "s", limit: 1,
                        detail: "\(report.count) sightings"))
            }
        }
        if let results = Self.environment["BEACOND_BENCH_RESULTS"] {
            try JSONEncoder().encode(figures).write(to: URL(fileURLWithPath: results))
        }
    }

    /// A row of docs/performance.md.
    private struct Figure: Encodable {
        var what: String
        var value: Double
        var unit: String
        var limit: Double?
        var detail = ""
    }

    private func memory(_ field: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
    }

    /// What the process keeps over many hours of writing, with a clock that runs fast.
    @Test(
        "memory over many hours of writing",
        .enabled(
            if: environment["BEACOND_BENCH_ENDURANCE"] != nil,
            "takes minutes: set BEACOND_BENCH_ENDURANCE to the hours to write, or run tools/bench/history"),
        .timeLimit(.minutes(30)))
    func memoryOver() throws {
        let hours = Int(Self.environment["BEACOND_BENCH_ENDURANCE"] ?? "") ?? 24
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 1)
        let store = try HistoryStore(HistorySettings(file: "\(folder)/history.sqlite"))
        var first: Int?
        let patterns = (0..<100).map { minute(1_800_000_000, $0, random: &random) }
        for hour in 0...hours {
            for step in 0..<60 {
                let shift = Double((hour * 60 + step) * 60)
                let spans = (0..<20).map { number in
                    let begin = Int(1_800_000_000 + shift)
                    return visit((hour * 60 + step) * 20 + number, UInt16(number), from: begin, to: begin + 50)
                }
                try store.write(patterns.map { $0.shifted(by: shift) }, spans, [])
                try store.tidy(olderThan: nil, laterThan: Timestamp(seconds: 1_900_000_000))
            }
            // After the first hour all that is kept between writes is there.
            if hour == 1 { first = memory("RssAnon") }
            if hour < 4 || hour % 4 == 0 {
                let used = try store.usedBytes
                print("\(hour + 1) h: \(memory("RssAnon")) kB of its own, \(used / 1000) kB in the file")
            }
        }
        let last = memory("RssAnon")
        #expect(last - (try #require(first)) < 16_384, "\(first ?? 0) kB after an hour, \(last) kB in the end")
    }
}

extension BeaconInterval {
    fileprivate func shifted(by seconds: Double) -> BeaconInterval {
        var shifted = self
        shifted.start = start.advanced(bySeconds: seconds)
        shifted.firstSeen = firstSeen.advanced(bySeconds: seconds)
        shifted.lastSeen = lastSeen.advanced(bySeconds: seconds)
        return shifted
    }
}

extension RecordedSpan {
    fileprivate func shifted(by seconds: Double, _ number: Int) -> RecordedSpan {
        RecordedSpan(
            id: id + number, subject: subject, begin: begin.advanced(bySeconds: seconds),
            end: end.advanced(bySeconds: seconds))
    }
}
