import Beacon
import Foundation
import History
import Reports
import Settings
import TestSupport
import Testing

/// Reports of hours and days against those of intervals.
@Suite(.timeLimit(.minutes(10))) struct RollupTests {
    /// A day's begin in UTC.
    private static let start = 1_800_057_600
    private let store: HistoryStore

    init() throws {
        store = try HistoryStore(HistorySettings(file: try temporaryFolder("history") + "/history.sqlite"))
    }

    private func tidy(_ now: Int) throws {
        try store.tidy(olderThan: nil, laterThan: Timestamp(seconds: Double(now + 86_400)))
    }

    private func report(_ from: Int, _ to: Int, _ coarsest: Rollup?, resolution: Int) throws -> HistoryReport {
        let span = Timestamp(seconds: Double(from))...Timestamp(seconds: Double(to))
        var assembly = ReportAssembly(span: span, resolution: resolution, localTime: .utc)
        let names = try store.play(span, into: &assembly, coarsest: coarsest)
        return assembly.report(names: names)
    }

    /// Nothing differs, but for the bounds of distances: they are kept in whole millimetres.
    private func expectEqual(_ left: HistoryReport, _ right: HistoryReport) {
        func rounded(_ report: HistoryReport) -> HistoryReport {
            var report = report
            for index in report.beacons.indices {
                for place in report.beacons[index].series.indices {
                    guard let distance = report.beacons[index].series[place].distance else { continue }
                    report.beacons[index].series[place].distance = (0, distance.median, 0)
                }
            }
            return report
        }
        #expect(rounded(left) == rounded(right))
        for (one, other) in zip(left.beacons, right.beacons) {
            for (first, second) in zip(one.series, other.series) {
                #expect(abs((first.distance?.low ?? 0) - (second.distance?.low ?? 0)) <= 0.002)
                #expect(abs((first.distance?.high ?? 0) - (second.distance?.high ?? 0)) <= 0.002)
            }
        }
    }

    /// Three days of three beacons, not all of them all the time, and some that only pass.
    private func fill(_ random: inout SeededGenerator, minutes: Int = 3 * 1440) throws {
        for step in 0..<minutes {
            let begin = Self.start + step * 60
            var beacons = (1...3).compactMap { number in
                Int.random(in: 0..<10, using: &random) < 7
                    ? minute(begin, UInt16(number), level: -50 - 5 * number, random: &random) : nil
            }
            if step % 100 == 7 { beacons.append(minute(begin, UInt16(1000 + step), random: &random)) }
            try store.write(beacons, [visit(step, 1, from: begin, to: begin + 30)], [])
            if step % 240 == 0 { try tidy(begin) }
        }
        try tidy(Self.start + minutes * 60)
    }

    @Test("a report of hours says what that of intervals says", arguments: [0, 3600 * 5, 86_400])
    func reportOfHours(offset: Int) throws {
        var random = SeededGenerator(seed: 1)
        try fill(&random)
        let end = Self.start + 3 * 86_400 - 1234
        let fine = try report(Self.start + offset, end, nil, resolution: 3600)
        #expect(fine.count > 100_000 && fine.beacons.count > 20)
        expectEqual(fine, try report(Self.start + offset, end, .hour, resolution: 3600))
    }

    @Test("a report of days says what that of intervals says")
    func reportOfDays() throws {
        var random = SeededGenerator(seed: 2)
        try fill(&random)
        let end = Self.start + 3 * 86_400 - 1234
        expectEqual(
            try report(Self.start, end, nil, resolution: 86_400), try report(Self.start, end, .day, resolution: 86_400))
    }

    @Test("what comes late, or gets its past late, is in hours and days too")
    func whatComes() throws {
        var random = SeededGenerator(seed: 3)
        try fill(&random, minutes: 1600)
        // The clock was set back by a day: intervals that are there already, one of a new beacon, and one that gets its
        // past.
        for step in 100..<112 {
            try store.write(
                [
                    minute(Self.start + step * 60, 1, random: &random),
                    minute(Self.start + step * 60, 77, random: &random),
                ], [], [])
        }
        let end = Self.start + 1600 * 60
        expectEqual(
            try report(Self.start, end, nil, resolution: 3600), try report(Self.start, end, .hour, resolution: 3600))
        expectEqual(
            try report(Self.start, end, nil, resolution: 86_400), try report(Self.start, end, .day, resolution: 86_400))
    }

    @Test("where intervals had to go for want of room, their hours still count")
    func whereIntervals() async throws {
        let file = try temporaryFolder("history") + "/small.sqlite"
        let small = try HistoryStore(HistorySettings(file: file, maximumBytes: HistorySettings.leastBytes))
        var random = SeededGenerator(seed: 4)
        let minutes = 2400
        for step in 0..<minutes {
            let begin = Self.start + step * 60
            try small.makeRoom()
            try small.write((0..<100).map { minute(begin, UInt16($0), random: &random) }, [], [])
            if step % 10 == 0 {
                try small.tidy(olderThan: nil, laterThan: Timestamp(seconds: Double(begin + 86_400)))
            }
        }
        #expect(try await SQLite.number("SELECT count(*) FROM interval", in: file) < minutes * 100)
        let span = Timestamp(seconds: Double(Self.start))...Timestamp(seconds: Double(Self.start + minutes * 60))
        for coarsest in [nil, Rollup.hour, .day] {
            var assembly = ReportAssembly(span: span, resolution: 60, localTime: .utc)
            _ = try small.play(span, into: &assembly, coarsest: coarsest)
            let report = assembly.report()
            #expect(report.beacons.count == 100 && report.beacons.allSatisfy { $0.count == minutes * 100 })
        }
    }

    @Test("long reports begin with an hour or a day")
    func longReports() {
        func scale(_ seconds: Double) -> ReportScale {
            ReportScale(Timestamp(seconds: 1_800_000_123)...Timestamp(seconds: 1_800_000_123 + seconds))
        }
        #expect(scale(86_400).coarsest == nil && scale(86_400).span.lowerBound.seconds == 1_800_000_123)
        #expect(scale(30 * 86_400).coarsest == .hour && scale(30 * 86_400).span.lowerBound.seconds == 1_800_000_000)
        #expect(scale(365 * 86_400).coarsest == .day)
        #expect(Int(scale(365 * 86_400).span.lowerBound.seconds) % 86_400 == 0)
        #expect(scale(365 * 86_400).resolution(interval: 60) == 86_400)
        // No day begins before the first microsecond.
        let first = Timestamp(microseconds: .min)
        #expect(ReportScale(first...Timestamp(microseconds: .min + 365 * 86_400_000_000)).span.lowerBound == first)
    }
}

@Suite struct ReadingPlanTests {
    private let day: Int64 = 86_400

    @Test("without hours everything is read as it was written")
    func withoutHours() {
        let plan = ReadingPlan(from: 1000, through: 900_000, interval: 60, coarsest: .day, .init())
        #expect(plan.pieces == [.intervals(941, 900_001)])
    }

    @Test("hours stand for what lies within, intervals for the edges")
    func hoursStand() {
        let plan = ReadingPlan(from: 7200, through: 20_000, interval: 60, coarsest: .hour, .init(hours: 14_400))
        #expect(
            plan.pieces == [
                .intervals(7141, 7200), .hours(7200, 14_400), .passing(7200, 14_400), .intervals(14_400, 20_001),
            ])
    }

    @Test("days stand between hours")
    func daysStand() {
        let plan = ReadingPlan(
            from: 3600, through: 4 * day, interval: 60, coarsest: .day, .init(hours: 4 * day - 3600, days: 3 * day))
        #expect(
            plan.pieces == [
                .intervals(3541, 3600), .hours(3600, day), .days(day, 3 * day), .hours(3 * day, 4 * day - 3600),
                .passing(3600, 4 * day - 3600), .intervals(4 * day - 3600, 4 * day + 1),
            ])
    }

    @Test("where intervals are gone, hours at the edges count as a whole")
    func whereIntervalsAreGone() {
        let plan = ReadingPlan(
            from: 4000, through: 20_000, interval: 60, coarsest: nil, .init(hours: 18_000, minutes: 8000))
        #expect(plan.pieces == [.hours(3600, 10_800), .passing(3600, 10_800), .intervals(10_800, 20_001)])
    }

    @Test("reads no second twice, and none not at all, whatever was asked for")
    func readsNoSecond() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            let lower = Int64.random(in: -200_000...200_000, using: &random)
            let upper = lower + Int64.random(in: 0...400_000, using: &random)
            let hours = Rollup.hour.floor(Int64.random(in: -200_000...500_000, using: &random))
            let state = ReadingPlan.State(
                hours: hours, days: Rollup.day.floor(hours),
                minutes: Bool.random(using: &random) ? Int64.random(in: -300_000...hours, using: &random) : nil)
            let plan = ReadingPlan(
                from: lower, through: upper, interval: 60,
                coarsest: [nil, .hour, .day].randomElement(using: &random) ?? nil, state)
            var end: Int64?
            for piece in plan.pieces {
                guard case .intervals(let from, let to) = piece else {
                    if case .hours(let from, let to) = piece {
                        #expect(end.map { $0 == from } ?? (from <= lower) && from < to)
                        end = to
                    } else if case .days(let from, let to) = piece {
                        #expect(end.map { $0 == from } ?? (from <= lower) && from < to)
                        end = to
                    }
                    continue
                }
                #expect(end.map { $0 == from } ?? (from <= lower) && from < to)
                end = to
            }
            #expect((end ?? upper + 1) >= upper + 1, "\(lower) \(upper) \(state) \(plan)")
        }
    }
}
