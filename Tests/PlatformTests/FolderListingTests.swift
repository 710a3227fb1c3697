import Foundation
import Platform
import TestSupport
import Testing

@Suite("What is in a folder")
struct FolderListingTests {
    @Test("names of every length are there once")
    func lengths() throws {
        let folder = try TemporaryFolder()
        let names = (1...255).map { String(repeating: "n", count: $0) }
        for name in names { #expect(FileManager.default.createFile(atPath: folder.path(name), contents: nil)) }
        #expect(FolderListing.names(in: folder.path).sorted() == names)
    }

    @Test("hidden names are there, and a folder that is not has none")
    func edges() throws {
        let folder = try TemporaryFolder()
        #expect(FolderListing.names(in: folder.path) == [])
        #expect(FileManager.default.createFile(atPath: folder.path(".hidden"), contents: nil))
        #expect(FolderListing.names(in: folder.path) == [".hidden"])
        #expect(FolderListing.names(in: folder.path("missing")) == [])
        #expect(FolderListing.names(in: folder.path(".hidden")) == [])
    }
}
