import Beacon
import Foundation
import History
import Reports
import Settings
import TestSupport
import Testing

/// SIGKILL at random moments, with a real process that writes: `test-helper write-history`.
@Suite("A history whose writer is killed", .serialized, .timeLimit(.minutes(30)))
struct HistoryKillTests {
    private static let start = 1_800_000_000

    private struct Run {
        /// Those that it said were written.
        var minutes: Int
        /// What failed, in its words.
        var failures: [String]
        var wasKilled: Bool

        init(_ outcome: RunningProgram.Outcome) {
            minutes = outcome.completeLines.last { $0.hasPrefix("minute ") }.flatMap { Int($0.dropFirst(7)) } ?? 0
            failures = outcome.lines.filter { $0.hasPrefix("failed ") }
            wasKilled = outcome.status == 128 + SIGKILL
        }
    }

    @Test(
        "killed fifty times while it writes, it opens, and has all that was written but at most the last interval",
        .timeLimit(.minutes(20)))
    func killed() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("history.sqlite")
        var last = 0
        for _ in 0..<Sanitizer.rounds(50) {
            let writer = try RunningProgram(Programs.testHelper, ["write-history", file])
            try await writer.waitUntil("it has written a minute") { !$0.lines.isEmpty }
            // Not to wait for something: the moment of the kill is to be any.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000)))
            let run = Run(try await writer.stop(with: SIGKILL))
            #expect(run.failures.isEmpty && run.wasKilled)
            try #require(run.minutes > last)
            last = run.minutes
            let store = try HistoryStore(HistorySettings(file: file))
            #expect(store.movedAside == nil)
            let report = try store.report(Self.start, Self.start + 10_000_000)
            store.close()
            // All that it said was written is there, and one more at most, of which it could not speak any more.
            let there = (report.beacons.first?.count ?? 0) / 100
            #expect(there >= last && there <= last + 1)
            #expect(report.beacons.count == 20 && report.beacons.allSatisfy { $0.count == there * 100 })
            #expect(report.beacons.first { $0.id == id(1) }?.visits.visits.count == there)
            last = there
        }
    }

    @Test("a disk that is full is an error that says so, and what was written stays", .timeLimit(.minutes(10)))
    func full() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("history.sqlite")
        let run = Run(try await RunningProgram.run(Programs.testHelper, ["write-history", file, "600000"]))
        #expect(run.minutes > 10)
        #expect(run.failures.count == 3)
        let store = try HistoryStore(HistorySettings(file: file))
        let report = try store.report(Self.start, Self.start + 10_000_000)
        #expect((report.beacons.first?.count ?? 0) >= run.minutes * 100)
    }
}
