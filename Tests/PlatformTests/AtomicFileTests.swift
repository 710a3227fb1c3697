import Foundation
import Platform
import TestSupport
import Testing

@Suite("Files are replaced as a whole")
struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func permissions(_ path: String) -> mode_t {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
    }

    @Test("a new file has the permissions that are asked for, and nothing else is left")
    func new() throws {
        let path = folder.path("new")
        try AtomicFile.replace(path, with: "one\n", rights: .permissions(0o600))
        #expect(try folder.text("new") == "one\n")
        #expect(permissions(path) == 0o600)
        #expect(folder.names == ["new"])
    }

    @Test("an old file's permissions stay")
    func kept() throws {
        let path = folder.path("old")
        try AtomicFile.replace(path, with: "one", rights: .permissions(0o640))
        try AtomicFile.replace(path, with: "two", rights: .kept)
        #expect(try folder.text("old") == "two")
        #expect(permissions(path) == 0o640)
    }

    @Test("a link stays a link, and what it leads to is replaced")
    func link() throws {
        let path = folder.path("target")
        try AtomicFile.replace(path, with: "one", rights: .permissions(0o644))
        try #require(symlink(path, folder.path("link")) == 0)
        try AtomicFile.replace(folder.path("link"), with: "two", rights: .kept)
        var facts = stat()
        #expect(lstat(folder.path("link"), &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
        #expect(try folder.text("target") == "two")
    }

    @Test("a link to a file that does not exist yet stays a link, too", arguments: [true, false])
    func dangling(isRelative: Bool) throws {
        try #require(mkdir(folder.path("data"), 0o755) == 0)
        let prefix = isRelative ? "" : folder.path + "/"
        try #require(symlink("\(prefix)second", folder.path("first")) == 0)
        try #require(symlink("\(prefix)data/file", folder.path("second")) == 0)
        try AtomicFile.replace(folder.path("first"), with: "one", rights: .kept)
        #expect(try folder.text("data/file") == "one")
        for name in ["first", "second"] {
            var facts = stat()
            #expect(lstat(folder.path(name), &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
        }
        // A circle has no end that could be replaced.
        try #require(symlink("circle", folder.path("circle")) == 0)
        #expect(AtomicFile.target(of: folder.path("circle")) == folder.path("circle"))
        // To Swift, a slash with a combining mark behind it is another character.
        try #require(symlink("/\u{301}nowhere/file", folder.path("odd")) == 0)
        #expect(AtomicFile.target(of: folder.path("odd")) == "/\u{301}nowhere/file")
    }

    @Test("a pipe is written to, not replaced")
    func pipe() throws {
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        // Open for reading and writing, so that nobody waits for the other end.
        let reader = open(path, O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        try AtomicFile.replace(path, with: "through", rights: .kept)
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes[..<max(0, count)], as: UTF8.self) == "through")
        #expect(folder.names == ["pipe"])
    }

    @Test("where it fails, the reason is told, the old content stays, and nothing is left behind")
    func failure() throws {
        let missing = #expect(throws: SystemFailure.self) {
            try AtomicFile.replace(folder.path("no/such"), with: "", rights: .kept)
        }
        #expect(missing?.code == ENOENT)
        // A folder where the unfinished file would be.
        let path = folder.path("file")
        try AtomicFile.replace(path, with: "one", rights: .kept)
        try #require(mkdir(path + ".part", 0o700) == 0)
        let blocked = #expect(throws: SystemFailure.self) { try AtomicFile.replace(path, with: "two", rights: .kept) }
        #expect(blocked?.code == EISDIR)
        #expect(try folder.text("file") == "one")
    }

    @Test("what an ended program left is removed, whatever its permissions are")
    func leftover() throws {
        let path = folder.path("file")
        let part = open(path + ".part", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try #require(part >= 0)
        try AtomicFile.write("longer than what is written now", to: part)
        close(part)
        try AtomicFile.replace(path, with: "one", rights: .permissions(0o600))
        #expect(try folder.text("file") == "one")
        #expect(permissions(path) == 0o600)
        #expect(folder.names == ["file"])
    }

    @Test("another writer of the same file is waited for", .timeLimit(.minutes(10)))
    func otherWriter() async throws {
        let path = folder.path("file")
        let part = open(path + ".part", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try #require(part >= 0 && flock(part, LOCK_EX) == 0)
        var facts = stat()
        try #require(fstat(part, &facts) == 0)
        try AtomicFile.write("first", to: part)
        let second = Task {
            try await OwnThread.run { try AtomicFile.replace(path, with: "second", rights: .kept) }
        }
        // proc(5): who waits for a lock has an arrow.
        let number = ":\(facts.st_ino) "
        try await waitUntil("the second waits for the first") {
            let locks = try kernelText("/proc/locks")
            return locks.split(separator: "\n").contains { $0.contains("->") && $0.contains(number) }
        }
        #expect(try folder.text("file.part") == "first")
        try #require(rename(path + ".part", path) == 0)
        FileLock.release(part)
        try await second.value
        #expect(try folder.text("file") == "second")
        #expect(folder.names == ["file"])
    }

    @Test("of many writers at once, each writes the whole file", .timeLimit(.minutes(10)))
    func manyWriters() async throws {
        let path = folder.path("file")
        let texts = (0..<8).map { String(repeating: "\($0)", count: 50_000 - 5000 * $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for text in texts {
                group.addTask {
                    try await OwnThread.run {
                        for _ in 0..<3 { try AtomicFile.replace(path, with: text, rights: .kept) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let last = try folder.text("file")
        #expect(texts.contains(last))
        #expect(folder.names == ["file"])
    }

    @Test("a full disk is told")
    func full() throws {
        let file = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        let error = #expect(throws: SystemFailure.self) { try AtomicFile.write("some text", to: file) }
        #expect(error?.code == ENOSPC)
        #expect(error?.description == "No space left on device")
    }
}
