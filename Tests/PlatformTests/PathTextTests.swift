import Foundation
import Platform
import Testing

@Suite("Paths are read by octets")
struct PathTextTests {
    @Test(
        "a path is taken apart at its slashes, whatever the names in it begin and end with",
        arguments: [
            ("/x", "/", "x"), ("x", ".", "x"), ("a/b", "a", "b"), ("/a/b", "/a", "b"), ("a//b", "a/", "b"),
            ("/", "/", "/"), ("a/", "a", "a"), ("", ".", ""), ("./x", ".", "x"), ("/a/b/", "/a/b", "b"),
            ("/\u{301}x", "/", "\u{301}x"), ("a/\u{301}x", "a", "\u{301}x"), ("\u{301}x", ".", "\u{301}x"),
            ("a\u{600}/x", "a\u{600}", "x"), ("/a\u{600}/\u{301}x", "/a\u{600}", "\u{301}x"),
            ("/\u{301}a/x", "/\u{301}a", "x"), ("é/ü", "é", "ü"),
        ])
    func apart(path: String, folder: String, name: String) {
        #expect(PathText.folder(of: path) == folder)
        #expect(PathText.fileName(of: path) == name)
    }

    @Test("a path is written from the root folder on")
    func absolute() {
        #expect(PathText.absolute("/a/b") == "/a/b")
        let folder = FileManager.default.currentDirectoryPath
        #expect(PathText.absolute("a/b") == (folder == "/" ? "" : folder) + "/a/b")
    }

    @Test(
        "what is before a name keeps its slash",
        arguments: [
            ("/x", "/"), ("x", ""), ("a/b", "a/"), ("a//b", "a//"), ("a/", "a/"), ("", ""), ("a/\u{301}x", "a/"),
            ("a\u{600}/x", "a\u{600}/"),
        ])
    func beforeName(path: String, expected: String) {
        #expect(PathText.beforeName(in: path) == expected)
    }

    @Test(
        "a path is absolute if a slash is its first octet",
        arguments: [
            ("/x", true), ("/", true), ("x", false), ("a/b", false), ("", false), ("/\u{301}x", true),
            ("\u{600}/x", false),
        ])
    func absolute(path: String, isAbsolute: Bool) {
        #expect(PathText.isAbsolute(path) == isAbsolute)
    }

    @Test(
        "parts are what is between slashes, and folders end before them",
        arguments: [
            ("/a/b/c", ["a", "b", "c"], ["/a", "/a/b"]), ("a/b", ["a", "b"], ["a"]), ("/x", ["x"], []),
            ("x", ["x"], []), ("/", [], []), ("", [], []), ("a/", ["a"], ["a"]), ("a//b", ["a", "b"], ["a", "a/"]),
            ("/a\u{600}/\u{301}b/c", ["a\u{600}", "\u{301}b", "c"], ["/a\u{600}", "/a\u{600}/\u{301}b"]),
        ] as [(String, [String], [String])])
    func above(path: String, parts: [String], folders: [String]) {
        #expect(PathText.parts(of: path) == parts)
        #expect(PathText.folders(above: path) == folders)
    }

    @Test(
        "slashes at the end are left out, and the root folder stays",
        arguments: [
            ("a/", "a"), ("a//", "a"), ("/a", "/a"), ("/", "/"), ("//", "/"), ("", ""), ("a\u{600}/", "a\u{600}"),
            ("é/", "é"), ("/\u{301}a/", "/\u{301}a"),
        ])
    func lastSlashes(path: String, expected: String) {
        #expect(PathText.withoutLastSlashes(path) == expected)
    }
}
