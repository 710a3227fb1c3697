import Foundation
import Media
import SiteFormat
import TestSupport
import Testing

@Suite("Pictures that wait to be decoded", .timeLimit(.minutes(10)))
struct JobTests {
    /// A library that decodes one picture at a time, and writes down which.
    private final class Bench: Sendable {
        let media: MediaBench
        private let folder: TemporaryFolder

        init() async throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            let path = folder.path("helper")
            // It works until it may end.
            let script = """
                #!/bin/sh
                cat >>'\(folder.path("log"))'
                until [ -e '\(folder.path("go"))' ]; do sleep 0.05; done
                """
            try await writeScript(script, to: path)
            var limits = MediaLimits()
            limits.parallelJobs = 1
            // It waits for the test, which may get no turn for minutes.
            limits.jobSeconds = 600
            media = try MediaBench(limits, helper: path)
        }

        /// What was begun.
        var log: String { (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? "" }

        func go() throws { try "".write(toFile: folder.path("go"), atomically: true, encoding: .utf8) }

        /// Asks for the thumbnail of a file with this text.
        func ask(_ text: String) throws -> Task<String, any Error> {
            let octets = Array(text.utf8)
            let hash = AssetHash(of: octets)
            let path = URL(fileURLWithPath: media.library.path(of: hash))
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(octets).write(to: path)
            return Task { [media] in try await media.library.thumbnail(of: hash, .small) }
        }
    }

    @Test("are not decoded for a client that has left, if nobody else wants them")
    func left() async throws {
        let bench = try await Bench()
        let first = try bench.ask("first ")
        try await waitUntil("it is decoded") { bench.log == "first " }
        let left = try bench.ask("left ")
        let shared = [try bench.ask("shared "), try bench.ask("shared ")]
        left.cancel()
        shared[0].cancel()
        try bench.go()
        for task in [first, left] + shared { _ = await task.result }
        #expect(bench.log == "first shared ")
    }
}
