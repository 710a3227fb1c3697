import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SpawningTests {
    @Test("a program that a test starts keeps nothing open that other tests have opened")
    func descriptors() async throws {
        let opened = open("/dev/null", O_RDONLY)
        #expect(opened > 2)
        defer { close(opened) }
        for (descriptor, isOpen) in [(0, true), (1, true), (2, true), (opened, false)] {
            let looked = try await RunningProgram.run("/bin/sh", ["-c", "test -e /proc/$$/fd/\(descriptor)"])
            #expect(looked.status == (isOpen ? 0 : 1), "descriptor \(descriptor)")
        }
    }
}
