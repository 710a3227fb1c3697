import Glibc
import Platform
import TestSupport
import Testing

@Suite("The lock of a file")
struct FileLockTests {
    @Test("is released also while a child of the process still has the file")
    func child() throws {
        let folder = try TemporaryFolder()
        let lock = open(folder.path("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        // What a child has between fork(2) and execve(2).
        let childs = dup(lock)
        defer { close(childs) }
        FileLock.release(lock)
        let next = open(folder.path("lock"), O_RDWR | O_CLOEXEC)
        defer { close(next) }
        #expect(flock(next, LOCK_EX | LOCK_NB) == 0)
    }
}
