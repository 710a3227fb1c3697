import Beacon
import Foundation
import History
import Reports
import Settings
import Testing
import TestSupport
import Text

@Suite struct StoreTests {
    private let folder: String
    private var file: String { "\(folder)/history.sqlite" }
    /// Divisible by 60.
    private static let start = 1_800_000_000

    init() throws {
        folder = try temporaryFolder("history")
    }

    private func store(days: Int = 30, bytes: Int64 = 500_000_000) throws -> HistoryStore {
        try HistoryStore(HistorySettings(file: file, retentionDays: days, maximumBytes: bytes))
    }

    @Test("what was written comes back, also after it was closed")
    func whatWasWritten() throws {
        var random = SeededGenerator(seed: 1)
        let intervals = (0..<10).map { minute(Self.start + $0 * 60, random: &random) }
        let first = try store()
        try first.write(
            intervals, [visit(1, from: Self.start, to: Self.start + 600)],
            [
                SyncResult(
                    time: Timestamp(seconds: Double(Self.start + 5)), beacon: id(1), outcome: .failed, text: "no way")
            ],
            names: [id(1): "Café \"x\""])
        first.close()
        let report = try store().report(Self.start, Self.start + 600)
        let beacon = try #require(report.beacons.first)
        var levels = Histogram()
        for interval in intervals { levels.merge(interval.levels) }
        #expect(beacon.count == 1000 && beacon.name == "Café \"x\"")
        #expect(beacon.rssi.map { Int($0.median) } == levels.quantile(0.5))
        #expect(beacon.rssi.map { Int($0.p10) } == levels.quantile(0.1))
        #expect(abs((beacon.distance?.median ?? 0) - 2) < 0.05)
        #expect(beacon.firstSeen == intervals[0].firstSeen && beacon.lastSeen == intervals[9].lastSeen)
        #expect(beacon.visits.seconds == 600)
        #expect(report.content.beacons.map(\.failed) == [1])
    }

    @Test("the same interval written twice is one: after a restart, or when the clock was set back")
    func sameInterval() throws {
        var random = SeededGenerator(seed: 2)
        let store = try store()
        for _ in 0..<3 { try store.write([minute(Self.start, random: &random)], [], []) }
        #expect(try store.report(Self.start, Self.start + 60).beacons.map(\.count) == [300])
    }

    @Test("a span that goes on is told again with a later end, and counts once")
    func spanThatGoes() throws {
        let first = try store()
        for end in 1...5 { try first.write([], [visit(7, from: Self.start, to: Self.start + 60 * end)], []) }
        first.close()
        // Numbers begin anew with every opening.
        let second = try store()
        try second.write([], [visit(7, from: Self.start + 400, to: Self.start + 500)], [])
        var random = SeededGenerator(seed: 3)
        try second.write([minute(Self.start, random: &random)], [], [])
        #expect(
            try second.report(Self.start, Self.start + 600).beacons.first?.visits.visits.map {
                $0.upperBound.seconds - $0.lowerBound.seconds
            } == [300, 100])
    }

    @Test("what is too old goes, bit by bit, and what is new stays")
    func whatIsToo() throws {
        var random = SeededGenerator(seed: 4)
        let store = try store(days: 1)
        let hours = 40
        for hour in 0..<hours {
            try store.write(
                (0..<60).map { minute(Self.start + hour * 3600 + $0 * 60, random: &random) },
                [visit(hour, from: Self.start + hour * 3600, to: Self.start + hour * 3600 + 1800)], [])
        }
        let now = Self.start + hours * 3600
        for _ in 0..<10 {
            try store.tidy(
                olderThan: Timestamp(seconds: Double(now - 86_400)), laterThan: Timestamp(seconds: Double(now + 86_400))
            )
        }
        let report = try store.report(Self.start, now)
        #expect(report.beacons.first?.count == 24 * 60 * 100)
        #expect(report.beacons.first?.visits.visits.count == 24)
    }

    @Test("a history that is too large loses its oldest, and the file becomes small again")
    func historyThatIsToo() throws {
        var random = SeededGenerator(seed: 5)
        let store = try store(bytes: HistorySettings.leastBytes)
        var moment = Self.start
        func size() -> Int {
            ["", "-wal", "-shm"].reduce(0) { sum, suffix in
                sum + ((try? FileManager.default.attributesOfItem(atPath: file + suffix)[.size] as? Int) ?? 0)
            }
        }
        var largest = 0
        // About three times as much as fits, an interval in each hour: of intervals that must go the hours stay, so
        // that the oldest time is lost only where the hours are too many.
        for _ in 0..<1000 {
            try store.write((0..<250).map { minute(moment, UInt16($0), random: &random) }, [], [])
            moment += 3600
            if moment % 36_000 == 0 {
                try store.tidy(olderThan: nil, laterThan: Timestamp(seconds: Double(moment + 86_400)))
                largest = max(largest, size())
            }
        }
        #expect(largest <= Int(HistorySettings.leastBytes))
        let report = try store.report(Self.start, moment)
        let beacon = try #require(report.beacons.first)
        #expect(beacon.lastSeen.seconds > Double(moment - 3601))
        #expect(beacon.firstSeen.seconds > Double(Self.start + 3600))
        #expect(beacon.count > 1000)
    }

    @Test("what is wrong with a beacon lasts as long as it is written, and goes when it is too old or in the future")
    func problems() throws {
        let store = try store()
        let far = Self.start + 400 * 86_400
        try store.write([problem(1, since: Self.start, last: Self.start + 60)], names: [:])
        try store.write(
            [
                problem(1, since: Self.start, last: Self.start + 120),
                problem(2, since: Self.start + 500, last: Self.start + 900),
            ],
            names: [id(2): "Whale"])
        try store.write([problem(3, since: far, last: far)], names: [:])
        let health = try store.report(Self.start, far + 100).health
        #expect(health.map(\.beacon.minor) == [3, 2, 1])
        #expect(health.map(\.seconds) == [0, 400, 120])
        #expect(health[1].name == "Whale")
        #expect(try store.report(Self.start + 130, Self.start + 400).health.isEmpty)
        let cutoff = Timestamp(seconds: Double(Self.start + 500))
        try store.tidy(olderThan: cutoff, laterThan: Timestamp(seconds: Double(Self.start + 86_400)))
        #expect(try store.report(Self.start, far + 100).health.map(\.beacon.minor) == [2])
    }

    @Test("what a clock that was wrong has written in the future goes")
    func whatClock() throws {
        var random = SeededGenerator(seed: 6)
        let store = try store()
        try store.write([minute(Self.start, random: &random)], [visit(1, from: Self.start, to: Self.start + 60)], [])
        let wrong = Self.start + 400 * 86_400
        try store.write([minute(wrong, random: &random)], [visit(2, from: wrong, to: wrong + 60)], [])
        try store.tidy(olderThan: nil, laterThan: Timestamp(seconds: Double(Self.start + 86_400)))
        let report = try store.report(Self.start, wrong + 100)
        #expect(report.beacons.map(\.count) == [100])
        #expect(report.beacons.first?.visits.visits.count == 1)
    }

    @Test("what lies in the future goes in portions", .timeLimit(.minutes(10)))
    func futureInPortions() async throws {
        var random = SeededGenerator(seed: 8)
        let store = try store()
        let wrong = Self.start + 400 * 86_400
        try store.write((1...5001).map { minute(wrong, $0, random: &random) }, [], [])
        let horizon = Timestamp(seconds: Double(Self.start + 86_400))
        #expect(try store.tidyPortion(olderThan: nil, laterThan: horizon))
        #expect(try await SQLite.number("SELECT count(*) FROM interval", in: file) == 1)
        try store.tidy(olderThan: nil, laterThan: horizon)
        #expect(try await SQLite.number("SELECT count(*) FROM interval", in: file) == 0)
    }

    @Test("the newest record up to a time is that of a visit that lasts then, or the end of the last one before")
    func newestUpTo() throws {
        let store = try store()
        func newest(upTo seconds: Int) throws -> Int? {
            try store.newest(upTo: Timestamp(seconds: Double(Self.start + seconds))).map {
                Int($0.seconds) - Self.start
            }
        }
        #expect(try newest(upTo: 0) == nil)
        let (begin, wrong) = (Self.start, Self.start + 400 * 86_400)
        try store.write(
            [], [visit(1, from: begin, to: begin + 100), visit(2, from: wrong, to: wrong + 100)], [])
        #expect(try newest(upTo: -1) == nil)
        #expect(try newest(upTo: 50) == 50)
        #expect(try newest(upTo: 300 * 86_400) == 100)
        #expect(try store.newest() == Timestamp(seconds: Double(wrong + 100)))
    }

    @Test("a file that is no database is moved aside, and told", arguments: [
        "",
        "not a database, whatever it is called, and longer than a header of one hundred octets".padding(
            toLength: 5000, withPad: "x", startingAt: 0),
    ])
    func fileThatIsNoDatabase(text: String) throws {
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        let store = try store()
        // An empty file is a database without tables.
        #expect((store.movedAside == nil) == text.isEmpty)
        var random = SeededGenerator(seed: 7)
        try store.write([minute(Self.start, random: &random)], [], [])
        #expect(try store.report(Self.start, Self.start + 60).beacons.count == 1)
        if let path = store.movedAside { #expect(try String(contentsOfFile: path, encoding: .utf8) == text) }
    }

    @Test(
        "numbers at their limits, as damage can leave them, do no harm", .timeLimit(.minutes(10)),
        arguments: [Int64.max, .max - 3000, .min, .min + 3000])
    func extremeNumbers(number: Int64) async throws {
        var random = SeededGenerator(seed: 9)
        let good = try store()
        try good.write((0..<5).map { minute(Self.start + $0 * 60, random: &random) }, [], [])
        good.close()
        try await SQLite.run(
            "UPDATE beacon SET intervals = \(number); UPDATE interval SET start = \(number) WHERE start = \(Self.start)",
            in: file)
        let damaged = try store()
        try damaged.write((5..<200).map { minute(Self.start + $0 * 60, random: &random) }, [], [])
        try damaged.tidy(olderThan: nil, laterThan: nil)
        #expect(try damaged.report(Self.start, Self.start + 12_000).beacons.count == 1)
        try damaged.tidy(olderThan: Timestamp(microseconds: .min), laterThan: Timestamp(microseconds: .max))
        damaged.close()
    }

    @Test("a damaged database does no harm: it is read, refused, or moved aside", arguments: 1...12)
    func damagedDatabase(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let good = try store()
        for step in 0..<200 {
            try good.write(
                (0..<10).map { minute(Self.start + step * 60, $0, random: &random) },
                [visit(step, UInt16(step % 10), from: Self.start + step * 60, to: Self.start + step * 60 + 30)], [])
        }
        good.close()
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        switch seed % 3 {
        case 0: bytes.removeLast(bytes.count / 3)
        default:
            for _ in 0..<Int.random(in: 1...400, using: &random) {
                bytes[Int.random(in: (seed % 3 == 1 ? 0 : 100)..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        do {
            var damaged = try store()
            do {
                let report = try damaged.report(Self.start, Self.start + 12_000)
                _ = report.rendered(as: .html, localTime: .utc)
                try damaged.write([minute(Self.start + 20_000, random: &random)], [], [])
            } catch let error as HistoryError {
                #expect(!error.description.isEmpty)
                damaged.close()
                #expect(HistoryDatabase.moveAside(damaged.settings.file) != nil)
                damaged = try HistoryStore(damaged.settings)
                try damaged.write([minute(Self.start, random: &random)], [], [])
                #expect(try damaged.report(Self.start, Self.start + 60).beacons.count == 1)
            }
            damaged.close()
        } catch let error as HistoryError {
            #expect(!error.description.isEmpty)
        }
    }

    @Test("a place that cannot be written says so")
    func placeThatCannot() throws {
        try "".write(toFile: "\(folder)/file", atomically: false, encoding: .utf8)
        let error = #expect(throws: HistoryError.self) {
            _ = try HistoryStore(HistorySettings(file: "\(folder)/file/history.sqlite"))
        }
        #expect(error?.code == .unusable && error?.description.contains("file/history.sqlite") == true)
    }
}
