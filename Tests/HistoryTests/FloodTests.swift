import Beacon
import Foundation
import History
import Ranging
import Reports
import Settings
import TestSupport
import Testing

/// Forged identities, which anybody can put on the air in any number.
@Suite(.timeLimit(.minutes(10))) struct FloodTests {
    private let folder: String
    private static let start = 1_800_000_000 / 86_400 * 86_400

    init() throws {
        folder = try temporaryFolder("history")
    }

    private var files: Int {
        ["", "-wal", "-shm"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/history.sqlite\(suffix)")
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    private func settings(_ bytes: Int64 = HistorySettings.leastBytes) -> HistorySettings {
        HistorySettings(file: "\(folder)/history.sqlite", maximumBytes: bytes)
    }

    /// An identity that is heard once.
    private func forged(_ start: Int, _ random: inout SeededGenerator, uuid: ProximityUUID? = nil) -> BeaconInterval {
        var levels = Histogram()
        levels.add(-70)
        let uuid = uuid ?? ProximityUUID(UInt128.random(in: .min ... .max, using: &random))
        let time = Timestamp(seconds: Double(start) + 3)
        return BeaconInterval(
            id: BeaconID(
                uuid: uuid, major: .random(in: .min ... .max, using: &random),
                minor: .random(in: .min ... .max, using: &random)),
            start: Timestamp(seconds: Double(start)), seconds: 60, firstSeen: time, lastSeen: time, count: 1,
            measuredPower: -59, levels: levels, presentSeconds: 5)
    }

    @Test("forged identities push out nobody who has a name or a past, and the limit holds at all times")
    func forgedIdentities() throws {
        var random = SeededGenerator(seed: 1)
        let store = try HistoryStore(settings())
        let names = [id(1): "Hall"]
        var largest = 0
        var span = 0
        let minutes = 240
        for minute in 0..<minutes {
            let begin = Self.start + minute * 60
            // Two that are real: one with a name, one that is only there all the time.
            var beacons = (1...2).map { HistoryTests.minute(begin, $0, random: &random) }
            var spans: [RecordedSpan] = []
            // For some minutes there is peace, so that the second gets its past.
            if minute >= 20 {
                for _ in 0..<1500 {
                    let one = forged(begin, &random)
                    beacons.append(one)
                    span += 1
                    spans.append(
                        RecordedSpan(id: span, subject: .visit(one.id), begin: one.firstSeen, end: one.lastSeen))
                }
            }
            try store.makeRoom()
            try store.write(beacons, spans, [], names: names, dropped: 58_500)
            largest = max(largest, files)
            let time = Timestamp(seconds: Double(begin + 60))
            while try store.tidyPortion(olderThan: nil, laterThan: time.advanced(bySeconds: 86_400)) {
                largest = max(largest, files)
            }
        }
        #expect(largest <= Int(HistorySettings.leastBytes))
        let report = try store.report(Self.start, Self.start + minutes * 60)
        for real in 1...2 {
            let beacon = try #require(report.beacons.first { $0.id == id(UInt16(real)) })
            #expect(beacon.count == minutes * 100)
            #expect(beacon.firstSeen.seconds < Double(Self.start + 60))
        }
        // Of the others the newest are there, and what had no room is told.
        #expect(report.beacons.count <= 2 + store.settings.mostPassing)
        #expect(report.beacons.count > store.settings.mostPassing / 2)
        #expect(report.dropped == minutes * 58_500)
        print("\(files) octets after \(span) forged identities, \(largest) at most")
    }

    @Test("who is in a region has room of its own, which a flood in that region fills and nothing else")
    func whoIsInRegion() throws {
        var random = SeededGenerator(seed: 2)
        var settings = settings()
        settings.regions = [BeaconRegion(identifier: "hall", constraint: BeaconConstraint(uuid: SimulatedDay.uuid))]
        let store = try HistoryStore(settings)
        try store.write([minute(Self.start, 1, random: &random)], [], [])
        for step in 1...20 {
            let begin = Self.start + step * 60
            try store.write((0..<500).map { _ in forged(begin, &random) }, [], [])
            try store.tidy(olderThan: nil, laterThan: Timestamp(seconds: Double(begin + 86_400)))
        }
        #expect(try store.report(Self.start, Self.start + 3600).beacons.contains { $0.id == id(1) })
        for step in 21...40 {
            let begin = Self.start + step * 60
            try store.write((0..<500).map { _ in forged(begin, &random, uuid: SimulatedDay.uuid) }, [], [])
            try store.tidy(olderThan: nil, laterThan: Timestamp(seconds: Double(begin + 86_400)))
        }
        let left = try store.report(Self.start, Self.start + 3600).beacons
        #expect(left.count <= 2 * settings.mostPassing)
        #expect(left.filter { $0.id.uuid != SimulatedDay.uuid }.count == settings.mostPassing)
    }

    @Test("a beacon that gets its name later keeps what was passing until then")
    func beaconThatGets() throws {
        var random = SeededGenerator(seed: 3)
        let store = try HistoryStore(settings())
        for step in 0..<3 { try store.write([minute(Self.start + step * 60, 1, random: &random)], [], []) }
        #expect(try store.kept().isEmpty)
        try store.write([minute(Self.start + 180, 1, random: &random)], [], [], names: [id(1): "Hall"])
        #expect(try store.kept() == [id(1)])
        for step in 4..<40 {
            let begin = Self.start + step * 60
            try store.write((0..<500).map { _ in forged(begin, &random) }, [], [])
            try store.tidy(olderThan: nil, laterThan: Timestamp(seconds: Double(begin + 86_400)))
        }
        #expect(try store.report(Self.start, Self.start + 3600).beacons.first { $0.id == id(1) }?.count == 400)
    }

    @Test("what goes on in the database ends at once when it is asked to, and what is written then is written")
    func whatGoes() async throws {
        var random = SeededGenerator(seed: 4)
        let store = try HistoryStore(settings(500_000_000))
        for step in 0..<600 {
            try store.write((0..<50).map { minute(Self.start + step * 60, $0, random: &random) }, [], [])
        }
        store.interrupt()
        for work in [
            { _ = try store.tidyPortion(olderThan: nil, laterThan: Timestamp(seconds: 2e9)) },
            { _ = try store.report(Self.start, Self.start + 36_000) },
        ] as [() throws -> Void] {
            let error = #expect(throws: HistoryError.self) { try work() }
            #expect(error?.code == .interrupted)
        }
        try store.makeRoom()
        try store.write([minute(Self.start + 36_000, random: &random)], [], [])
        store.close()
        let again = try HistoryStore(settings(500_000_000))
        #expect(try again.report(Self.start, Self.start + 40_000).beacons.first { $0.id == id(1) }?.count == 60_100)
    }

    @Test("a report that nobody waits for any more ends within its rows, and nothing else does")
    func reportThatNobody() async throws {
        var random = SeededGenerator(seed: 6)
        let store = try HistoryStore(settings(500_000_000))
        for step in 0..<200 {
            try store.write((0..<50).map { minute(Self.start + step * 60, $0, random: &random) }, [], [])
        }
        let span = Timestamp(seconds: Double(Self.start))...Timestamp(seconds: Double(Self.start + 86_400))
        func read(as reading: HistoryReading) throws -> Int {
            var assembly = ReportAssembly(span: span, localTime: .utc)
            _ = try store.play(span, into: &assembly, coarsest: nil, except: [], as: reading)
            return assembly.report().beacons.count
        }
        var beacons = 0
        let whole = try ContinuousClock().measure { beacons = try read(as: HistoryReading()) }
        #expect(beacons == 50)
        // One that is given up before it begins is not begun, and one that is over does not end what comes after it.
        let before = HistoryReading()
        before.cancel()
        #expect(throws: HistoryError.self) { try read(as: before) }
        let after = HistoryReading()
        _ = try read(as: after)
        let later = minute(Self.start + 60_000, 1, random: &random)
        let writing = Task.detached { try store.write([later], [], []) }
        after.cancel()
        try await writing.value
        // In the middle of it, again and again: it ends, or it was whole, and the next is whole.
        var ended = 0
        for step in 0..<8 {
            let reading = HistoryReading()
            let time = whole * Double(step) / 8
            if try isEnded(after: time, by: reading.cancel, { try read(as: reading) }) { ended += 1 }
            #expect(try store.report(Self.start, Self.start + 120).beacons.count == 50)
        }
        // The first is given up as it begins.
        #expect(ended > 1)
    }

    @Test("a report that is read when the end comes is ended within its rows")
    func reportThatIsRead() throws {
        var random = SeededGenerator(seed: 5)
        let written = try HistoryStore(settings(500_000_000))
        for step in 0..<1000 {
            try written.write((0..<50).map { minute(Self.start + step * 60, $0, random: &random) }, [], [])
        }
        func read(_ store: HistoryStore) throws -> Int {
            try store.report(Self.start, Self.start + 86_400).beacons.count
        }
        var beacons = 0
        let whole = try ContinuousClock().measure { beacons = try read(written) }
        #expect(beacons == 50)
        written.close()
        // A store that has ended reads nothing more, so that each attempt has one of its own.
        var ended = 0
        for step in 1..<8 {
            let store = try HistoryStore(settings(500_000_000))
            let time = whole * Double(step) / 8
            if try isEnded(after: time, by: store.interrupt, { try read(store) }) { ended += 1 }
            store.close()
        }
        #expect(ended > 0)
    }

    /// Whether a reading ended because of `end`, that long after its beginning. Otherwise it was whole.
    private func isEnded(
        after time: Duration, by end: @escaping @Sendable () -> Void, _ read: () throws -> Int
    ) throws -> Bool {
        let clock = ContinuousClock()
        // Time for the thread to start. A task might get its turn only when the reading is over.
        let begin = clock.now + .milliseconds(20)
        Thread.detachNewThread {
            while clock.now < begin + time {}
            end()
        }
        while clock.now < begin {}
        do {
            let beacons = try read()
            #expect(beacons == 50)
            return false
        } catch let error as HistoryError {
            #expect(error.code == .interrupted)
            return true
        }
    }
}
