import Foundation
import Platform
import TestSupport
import Testing

@Suite("A file that is not finished yet")
struct UnfinishedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ text: String, to path: String, isFinished: Bool = true) throws {
        let file = try UnfinishedFile(replacing: path, rights: .permissions(0o600), waits: false)
        try file.write(Array(text.utf8))
        if isFinished { try file.finish() }
    }

    @Test("has its name only when it is finished, and is removed if it never is")
    func named() throws {
        let path = folder.path("file")
        try write("one", to: path, isFinished: false)
        #expect(folder.names.isEmpty)
        try write("one", to: path)
        try write("two", to: path, isFinished: false)
        #expect(try folder.text("file") == "one")
        #expect(folder.names == ["file"])
    }

    @Test("that another program is writing is left alone by one that does not wait")
    func busy() throws {
        let path = folder.path("file")
        let first = try UnfinishedFile(replacing: path, rights: .permissions(0o600))
        try first.write(Array("first".utf8))
        let error = #expect(throws: SystemFailure.self) { try write("second", to: path) }
        #expect(error?.code == EWOULDBLOCK)
        #expect(try folder.text("file.part") == "first")
        try first.finish()
        #expect(try folder.text("file") == "first")
        try write("second", to: path)
        #expect(try folder.text("file") == "second")
    }

    @Test("that an ended program has left is removed, and a shorter one has none of its bytes")
    func left() throws {
        try Data("longer than what is written now".utf8).write(to: URL(fileURLWithPath: folder.path("file.part")))
        try write("short", to: folder.path("file"))
        #expect(try folder.text("file") == "short")
        #expect(folder.names == ["file"])
    }

    @Test("is not written through a symbolic link in its place")
    func link() throws {
        try Data("precious".utf8).write(to: URL(fileURLWithPath: folder.path("other")))
        try #require(symlink(folder.path("other"), folder.path("file.part")) == 0)
        let error = #expect(throws: SystemFailure.self) { try write("new", to: folder.path("file")) }
        #expect(error?.code == ELOOP)
        #expect(try folder.text("other") == "precious")
        #expect(folder.names == ["file.part", "other"])
    }
}
