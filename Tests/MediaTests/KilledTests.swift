import Media
import SiteFormat
import TestSupport
import Testing

@Suite("Ends in the middle of uploads", .timeLimit(.minutes(30)))
struct KilledTests {
    @Test("kill -9 at any time loses no file that was acknowledged, and leaves no part of one")
    func killed() async throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 9)
        var stored: Set<AssetHash> = []
        for run in 0..<25 {
            let writer = try RunningProgram(Programs.testHelper, ["store-media", folder.path, "\(run)"])
            let count = Int.random(in: 1...6, using: &random)
            try await writer.waitUntil("it has stored \(count) files") { $0.lines.count > count }
            let outcome = try await writer.stop(with: 9)
            #expect(outcome.status == 137)
            let words = outcome.completeLines.compactMap { $0.split(separator: " ").last }
            stored.formUnion(words.compactMap { AssetHash(String($0)) })
        }
        let library = try MediaLibrary(folder: folder.path, helper: ImageHelper(program: nil))
        let findings = try await library.check(needed: stored, unusedFor: 0)
        // One more file may be there than was said: it was stored, and then the process ended.
        #expect(findings.allSatisfy { $0.kind == .unused } && findings.count <= 25, "\(findings)")
        #expect(stored.count >= 25)
    }

    @Test("a disk that is full refuses the upload, leaves nothing of it, and is not the end")
    func full() async throws {
        let folder = try TemporaryFolder()
        let writer = try RunningProgram(Programs.testHelper, ["store-media", folder.path, "0", "100000"])
        let outcome = try await writer.wait()
        #expect(outcome.lines.filter { $0.hasPrefix("failed full ") }.count == 3, "\(outcome.output)")
        #expect(outcome.output.contains("make room on the disk"))
        let library = try MediaLibrary(folder: folder.path, helper: ImageHelper(program: nil))
        #expect(library.bytes == 0)
    }
}
