import Daemon
import Foundation
import Platform
import TestSupport
import Testing

@Suite("The watch over the configuration's file", .timeLimit(.minutes(10)))
struct ConfigurationWatchTests {
    /// The changes that the watch tells: whether the file was there then.
    private func changes(of file: String, seen: FileIdentity?) -> (AsyncStream<Bool>, Task<Void, any Error>) {
        let (changes, change) = AsyncStream<Bool>.makeStream()
        let watch = ConfigurationWatch(file: file, seen: seen) { change.yield(FileIdentity(of: file) != nil) }
        return (changes, Task { try await watch.run() })
    }

    @Test("tells a change between the reading of the file and the start of the watch")
    func early() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("beacond.yaml")
        try "sources: [sim]\n".write(toFile: file, atomically: true, encoding: .utf8)
        let seen = FileIdentity(of: file)
        try "sources: [sim, sim]\n".write(toFile: file, atomically: true, encoding: .utf8)
        let (changes, watch) = changes(of: file, seen: seen)
        for await _ in changes { break }
        watch.cancel()
        _ = await watch.result
    }

    @Test("tells that a file was written that was not there, and nothing before that")
    func first() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("beacond.yaml")
        let (changes, watch) = changes(of: file, seen: nil)
        // Another watch of the folder tells something, so that the first one has had the time to tell too much. The
        // second time is after the time of quiet.
        let other = folder.path("other.yaml")
        let (otherChanges, otherWatch) = self.changes(of: other, seen: nil)
        for _ in 0..<2 {
            try "sources: [sim]\n".write(toFile: other, atomically: true, encoding: .utf8)
            for await _ in otherChanges { break }
        }
        try "sources: [sim]\n".write(toFile: file, atomically: true, encoding: .utf8)
        for await wasThere in changes {
            #expect(wasThere)
            break
        }
        for each in [watch, otherWatch] {
            each.cancel()
            _ = await each.result
        }
    }
}
