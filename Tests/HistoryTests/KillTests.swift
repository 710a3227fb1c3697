import Beacon
import Foundation
import History
import Platform
import Reports
import TestSupport
import Testing

/// SIGKILL at random moments, with a real process that writes: this test program itself, told to by its environment.
@Suite(.serialized) struct HistoryKillTests {
    static let environment = ProcessInfo.processInfo.environment
    private static let start = 1_800_000_000

    /// Not a test: what the killed process does. It writes a minute after the other, each with twenty beacons and a
    /// visit, and says on standard output that a minute is written.
    @Test(.enabled(if: environment["BEACOND_HISTORY_WRITER"] != nil, "started by the tests beside it"))
    func writer() throws {
        let file = Self.environment["BEACOND_HISTORY_WRITER"] ?? ""
        if let limit = Self.environment["BEACOND_HISTORY_LIMIT"].flatMap(UInt.init) {
            signal(SIGXFSZ, SIG_IGN)
            var most = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(1), &most)
        }
        var random = SeededGenerator(seed: 1)
        let store = try HistoryStore(HistorySettings(file: file))
        var minutes = try Int((store.newest()?.seconds ?? Double(Self.start)) - Double(Self.start)) / 60
        var failures = 0
        while failures < 3, minutes < 100_000 {
            let begin = Self.start + minutes * 60
            do {
                try store.write(
                    (0..<20).map { minute(begin, $0, random: &random) }, [visit(minutes, from: begin, to: begin + 60)],
                    [])
                try store.tidy(olderThan: nil, laterThan: Timestamp(seconds: Double(begin + 86_400)))
                minutes += 1
                Self.say("minute \(minutes)")
            } catch {
                failures += 1
                Self.say("failed \(error.code.rawValue) \(error)")
            }
        }
        exit(42)
    }

    private static func say(_ line: String) {
        var text = "\n@\(line)\n"
        text.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
    }

    /// Runs the writer.
    ///
    /// - Parameter kill: microseconds after its first word.
    /// - Returns: the minutes that it said were written, and what failed.
    private static func run(
        _ file: String, kill delay: UInt32?, limit: Int? = nil
    ) async throws -> (minutes: Int, failures: [String], wasKilled: Bool) {
        try await OwnThread.run { try runBlocking(file, kill: delay, limit: limit) }
    }

    private static func runBlocking(
        _ file: String, kill delay: UInt32?, limit: Int?
    ) throws -> (minutes: Int, failures: [String], wasKilled: Bool) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", "HistoryKillTests/writer"]
        process.environment = environment.merging(["BEACOND_HISTORY_WRITER": file]) { $1 }
        if let limit { process.environment?["BEACOND_HISTORY_LIMIT"] = "\(limit)" }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        func read() -> Bool {
            let data = pipe.fileHandleForReading.availableData
            text += String(decoding: data, as: UTF8.self)
            return !data.isEmpty
        }
        if let delay {
            while !text.contains("@minute"), read() {}
            usleep(delay)
            Glibc.kill(process.processIdentifier, SIGKILL)
        }
        while read() {}
        process.waitUntilExit()
        let words = text.split(separator: "\n").filter { $0.hasPrefix("@") }
        return (
            words.last { $0.hasPrefix("@minute") }.flatMap { Int($0.dropFirst(8)) } ?? 0,
            words.filter { $0.hasPrefix("@failed") }.map(String.init), process.terminationReason == .uncaughtSignal
        )
    }

    @Test(.timeLimit(.minutes(20)))
    func `killed fifty times while it writes, it opens, and has all that was written but at most the last interval`()
        async throws
    {
        let folder = try temporaryFolder("history")
        let file = "\(folder)/history.sqlite"
        var last = 0
        var killed = 0
        for _ in 0..<50 {
            let (minutes, failures, wasKilled) = try await Self.run(file, kill: UInt32.random(in: 0...60_000))
            #expect(failures.isEmpty)
            try #require(minutes > last)
            killed += wasKilled ? 1 : 0
            last = minutes
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
        #expect(killed == 50)
        print("\(killed) kills, \(last) minutes, none lost")
    }

    @Test(.timeLimit(.minutes(5)))
    func `a disk that is full is an error that says so, and what was written stays`() async throws {
        let folder = try temporaryFolder("history")
        let file = "\(folder)/history.sqlite"
        let (minutes, failures, _) = try await Self.run(file, kill: nil, limit: 600_000)
        #expect(minutes > 10)
        #expect(failures.count == 3)
        let store = try HistoryStore(HistorySettings(file: file))
        let report = try store.report(Self.start, Self.start + 10_000_000)
        #expect((report.beacons.first?.count ?? 0) >= minutes * 100)
    }
}
