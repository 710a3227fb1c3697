import Curation
import CurationStore
import Foundation
import TestSupport
import Testing

/// SIGKILL at random moments, with a real process that writes: `test-helper write-curation`.
@Suite("A store whose writer is killed", .serialized, .timeLimit(.minutes(30)))
struct CurationKillTests {
    /// What a writer said that it has done.
    private struct Done {
        /// The last known version, nil for what was deleted.
        var versions: [DocumentID: Int64] = [:]
        var deleted: Set<DocumentID> = []
        var revision: Int64 = 0
        var failures: [String] = []

        mutating func add(_ lines: [String]) {
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                guard words.count > 1 else { continue }
                switch words[0] {
                case "saved":
                    if let id = DocumentID(words[1]), let version = Int64(words[2]) { versions[id] = version }
                case "deleted": if let id = DocumentID(words[1]) { deleted.insert(id) }
                case "published": revision = max(revision, Int64(words[1]) ?? 0)
                case "failed": failures.append(line)
                default: break
                }
            }
        }
    }

    /// What of this is not in the store.
    private func lost(_ done: Done, in store: CurationStore) async throws -> [String] {
        var lost: [String] = []
        // A document may be saved although nobody could say so any more, and be deleted by the next writer.
        let found = try await store.documents(done.deleted.union(done.versions.keys))
        for (id, version) in done.versions where (found[id]?.version ?? 0) < version { lost.append("\(id) \(version)") }
        for id in done.deleted where found[id]?.isDeleted != true { lost.append("\(id) deleted") }
        let revision = try await store.currentRevision()?.number ?? 0
        if revision < done.revision { lost.append("revision \(done.revision)") }
        return lost
    }

    @Test(
        "killed a hundred times while it saves and publishes, nothing that was acknowledged is lost, nothing is half",
        .timeLimit(.minutes(20)))
    func killed() async throws {
        let folder = try TemporaryFolder()
        var done = Done()
        for round in 1...Sanitizer.rounds(100) {
            let writer = try RunningProgram(Programs.testHelper, ["write-curation", folder.path])
            // Every other one has done some steps, so that the writers get on, however busy the machine is.
            let least = round.isMultiple(of: 2) ? 12 : 1
            try await writer.waitUntil("it has opened the database") { $0.lines.count >= least }
            // Not to wait for something: the moment of the kill is to be any.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000)))
            let outcome = try await writer.stop(with: SIGKILL)
            try #require(outcome.status == 128 + SIGKILL)
            done.add(outcome.completeLines)
            try #require(done.failures == [])
            let store = try CurationStore(folder: folder.path)
            let lost = try await lost(done, in: store)
            try #require(lost == [], "after \(round) kills")
            // Reading everything takes a while.
            if round % 10 == 0 { try #require(try await store.check() == []) }
            store.close()
        }
        #expect(done.revision > 1 && done.versions.count > 10)
    }

    @Test("a disk that is full is an error that says so, and what was saved stays", .timeLimit(.minutes(10)))
    func full() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await RunningProgram.run(Programs.testHelper, ["write-curation", folder.path, "3000000"])
        var done = Done()
        done.add(outcome.lines)
        #expect(done.versions.count > 10 && done.failures.count == 3)
        #expect(done.failures.allSatisfy { $0.hasPrefix("failed full ") })
        let store = try CurationStore(folder: folder.path)
        #expect(try await lost(done, in: store) == [])
        #expect(try await store.check() == [])
    }
}
