import Glibc
import TestSupport
import Testing

@Suite("Programs that tests have started", .timeLimit(.minutes(10)))
struct OrphanTests {
    @Test("end when the test process goes, also those that do not want to, but for those that have ended")
    func ended() async throws {
        let keep = try RunningProgram("/bin/sleep", ["1000"])
        let plain = try RunningProgram("/bin/sleep", ["1000"])
        let stubborn = try RunningProgram("/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"])
        try await stubborn.waitUntil("it ignores the signal") { $0.lines == ["ready"] }
        var orphans: Orphans? = Orphans()
        for program in [keep, plain, stubborn] { orphans?.started(program.pid) }
        orphans?.ended(keep.pid)
        #expect(plain.status == nil && stubborn.status == nil)
        // As when the process has gone.
        orphans = nil
        #expect(try await plain.wait().status == 128 + SIGTERM)
        #expect(try await stubborn.wait().status == 128 + SIGKILL)
        #expect(keep.status == nil)
        #expect(try await keep.stop(with: SIGTERM).status == 128 + SIGTERM)
    }
}
