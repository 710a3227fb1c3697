import Beacon
import Content
import Events
import Foundation
import Health
import History
import Logging
import Ranging
import Reports
import ServiceLifecycle
import Settings
import Synchronization
import TestSupport
import Testing

/// The service with its desk, on a clock of the test's own.
@Suite(.timeLimit(.minutes(10))) struct ServiceTests {
    private final class Bench: Sendable {
        let hub: EventHub
        let buffer: HistoryBuffer
        let settings: HistorySettings
        private let ranger = Mutex(Ranger())
        private let clock: Clock

        /// Seconds since 1970.
        private final class Clock: Sendable {
            let seconds = Mutex(1_800_000_000.0)

            var time: Timestamp { seconds.withLock { Timestamp(seconds: $0) } }
        }

        init(_ folder: String) {
            let clock = Clock()
            self.clock = clock
            settings = HistorySettings(file: "\(folder)/history.sqlite")
            buffer = HistoryBuffer { clock.time }
            hub = EventHub(names: Names()) { clock.time }
        }

        /// Ticks once a second, with a beacon heard four times.
        func hear(_ seconds: Int, jump: Double = 0) {
            clock.seconds.withLock { $0 += jump }
            for _ in 0..<seconds {
                let begin = time.seconds
                let heard = (0..<4).map { step in
                    Sighting(
                        time: Timestamp(seconds: begin + Double(step) / 4), rssi: -60,
                        beacon: IBeacon(id: id(1), measuredPower: -59))
                }
                clock.seconds.withLock { $0 += 1 }
                let time = time
                let (ranking, events) = ranger.withLock { ranger in
                    for sighting in heard { ranger.add(sighting) }
                    return ranger.tick(at: time)
                }
                buffer.observe(heard, ranking, events, isBlind: false)
            }
        }

        var time: Timestamp { clock.time }

        /// Runs the service while `body` does.
        func run(
            isSynchronised: @escaping @Sendable () -> Bool? = { true }, _ body: @Sendable () async throws -> Void
        ) async throws {
            let service = HistoryService(
                settings: settings, buffer: buffer, hub: hub, isSynchronised: isSynchronised)
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let group = ServiceGroup(services: [service], logger: logger)
            try await withThrowingTaskGroup { tasks in
                tasks.addTask { try await group.run() }
                // It is there once it answers.
                try await waitUntil("it answers") { (try? await buffer.report(since: nil, until: time)) != nil }
                try await body()
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
        }

        func troubles(_ subscription: EventSubscription) -> [String] {
            (subscription.take().batch?.records ?? []).compactMap { record in
                if case .trouble("history", let problem, _) = record.event { problem } else { nil }
            }
        }
    }

    @Test("a report has everything up to now, also what is not written yet, and each once", .timeLimit(.minutes(10)))
    func reportHasEverything() async throws {
        let folder = try temporaryFolder("history")
        let bench = Bench(folder)
        try await bench.run {
            bench.hear(150)
            let report = try await bench.buffer.report(since: nil, until: bench.time, localTime: .utc)
            let beacon = try #require(report.beacons.first)
            #expect(beacon.count == 600)
            #expect(beacon.visits.visits.count == 1 && abs(beacon.visits.seconds - 150) < 2)
            #expect(beacon.nearest.visits.count == 1)
            let before = try await bench.buffer.report(
                since: nil, until: bench.time.advanced(bySeconds: -3600), localTime: .utc)
            let text = before.rendered(as: .text, localTime: .utc)
            #expect(text.contains("Nothing is known of the time until 2027-01-15 07:02"), "\(text)")
        }
        // What was going on at the end was written at the end.
        try await bench.run {
            bench.hear(30, jump: 300)
            let report = try await bench.buffer.report(since: nil, until: bench.time, localTime: .utc)
            #expect(report.beacons.first?.count == 720)
            #expect(report.scanner.recordedSeconds < 185)
        }
    }

    @Test("what is wrong with beacons is in the report, also after a restart", .timeLimit(.minutes(10)))
    func health() async throws {
        let bench = Bench(try temporaryFolder("history"))
        @Sendable func health() async throws -> [ReportedProblem] {
            try await bench.buffer.report(since: nil, until: bench.time, localTime: .utc).health
        }
        try await bench.run {
            bench.hear(5)
            let missing = HealthProblem(
                kind: .missing, since: Int64(bench.time.seconds), evidence: "not heard for 5 min")
            bench.hub.publish(.known([BeaconHealth(beacon: id(1)), BeaconHealth(beacon: id(2), problems: [missing])]))
            bench.hear(50)
            let lasting = try await health()
            #expect(lasting.map(\.beacon) == [id(2)] && lasting.map(\.seconds) == [50])
            #expect(lasting.first?.isLasting == true)
        }
        // At the end it was written. The next run does not know it yet, and it has ended when that looks again.
        bench.hub.publish(.unknown)
        try await bench.run {
            bench.hear(600)
            let over = try await health()
            #expect(over.map(\.seconds) == [50])
            #expect(over.first?.isLasting == false)
        }
    }

    @Test("without a service it says that none is kept")
    func withoutService() async {
        let error = await #expect(throws: HistoryError.self) { try await HistoryBuffer().report(since: nil) }
        #expect(error?.code == .off)
    }

    @Test("what comes of syncs is in the history", .timeLimit(.minutes(10)))
    func whatComes() async throws {
        let bench = Bench(try temporaryFolder("history"))
        try await bench.run {
            bench.hear(5)
            // The service has its place in the hub by the time at which the first is noted.
            let report = try await eventually("it is noted") {
                bench.hub.publish(.content(.nothing(id(1))))
                bench.hear(1)
                let report = try await bench.buffer.report(
                    since: nil, until: bench.time.advanced(bySeconds: 60), localTime: .utc)
                return report.content.beacons.isEmpty ? nil : report
            }
            #expect(report.content.beacons.first?.beacon == id(1))
            #expect((report.content.beacons.first?.nothing ?? 0) >= 1)
        }
    }

    private final class Asked: Sendable {
        let count = Mutex(0)
    }

    @Test(
        "a clock that is behind deletes nothing that is newer, unless it is synchronised for an hour",
        .timeLimit(.minutes(10)), arguments: [nil, false, true])
    func clockThatIsBehind(isSynchronised: Bool?) async throws {
        let bench = Bench(try temporaryFolder("history"))
        let file = bench.settings.file
        // From 20 days to 40 days ahead of the clock.
        let begin = Int(bench.time.seconds)
        let later = (20...40).map { begin + $0 * 86_400 }
        do {
            var random = SeededGenerator(seed: 9)
            let store = try HistoryStore(bench.settings)
            for (number, start) in later.enumerated() {
                try store.write(
                    [minute(start, 2, random: &random)], [visit(number, 2, from: start, to: start + 60)], [],
                    names: [id(2): "Whale"])
            }
            store.close()
        }
        @Sendable func count() async throws -> Int {
            try await SQLite.number("SELECT count(*) FROM interval WHERE start > \(begin + 15 * 86_400)", in: file)
        }
        let asked = Asked()
        try await bench.run(
            isSynchronised: {
                asked.count.withLock { $0 += 1 }
                return isSynchronised
            }
        ) {
            // Upkeep combines hours only after it has looked for what is too late.
            try await waitUntil("upkeep was done") {
                let hours = try await SQLite.number("SELECT count(*) FROM hour", in: file)
                let rest = try await count()
                return hours > 0 || rest == 0
            }
            #expect(try await count() == later.count)
            try await waitUntil("the clock has gone on for an hour") {
                bench.hear(600)
                // After the writing of what was heard.
                _ = try await bench.buffer.report(since: bench.time, until: bench.time)
                // A clock that is believed is not asked about again.
                return asked.count.withLock { $0 } > (isSynchronised == true ? 0 : 2)
            }
            if isSynchronised == true {
                try await waitUntil("what is later is gone") {
                    bench.hear(60)
                    return try await count() == 0
                }
            }
        }
        #expect(try await count() == (isSynchronised == true ? 0 : later.count))
    }

    @Test("where the file cannot be written that is told once, and ranging goes on", .timeLimit(.minutes(10)))
    func whereFile() async throws {
        let folder = try temporaryFolder("history")
        let bench = Bench(folder)
        let subscription = bench.hub.subscribe()
        try await bench.run {
            bench.hear(70)
            // Not the disk's fault, but the same to SQLite: its table is gone.
            try await SQLite.run("ALTER TABLE interval RENAME TO gone;", in: bench.settings.file)
            bench.hear(600)
        }
        let troubles = bench.troubles(subscription)
        #expect(troubles.count == 1, "\(troubles)")
    }
}
