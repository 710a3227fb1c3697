import Glibc

/// Paths as the system reads them: by octets. Paths from users are taken apart here alone.
///
/// To Swift, a slash is another character if a combining mark follows it, or if a sign such as U+0600 precedes it.
/// Names of files may begin and end with these.
package enum PathText {
    private static let slash = UInt8(ascii: "/")

    /// Whether a path starts at the root folder.
    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    /// The same path from the root folder on. As it is if the working folder is gone.
    package static func absolute(_ path: String) -> String {
        guard !isAbsolute(path), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        let above = String(cString: folder)
        return (above == "/" ? "" : above) + "/" + path
    }

    /// The folder that a path's file is in: what is before the last slash, so it is `a` for `a/`. `.` if there is no
    /// slash.
    package static func folder(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return "." }
        return end == path.utf8.startIndex ? "/" : String(path[..<end])
    }

    /// What is before the name of a file, with the last slash; empty if the path has no slash.
    package static func beforeName(in path: String) -> String {
        guard let last = path.utf8.lastIndex(of: slash) else { return "" }
        return String(path[..<path.utf8.index(after: last)])
    }

    /// The last part of a path that is not empty: `a` for `a/`. The path itself if it has no such part.
    package static func fileName(of path: String) -> String { parts(of: path).last ?? path }

    /// What is between the slashes of a path, without empty parts.
    package static func parts(of path: String) -> [String] {
        path.utf8.split(separator: slash).map { String(Substring($0)) }
    }

    /// The folders above a file, the highest first, without the root folder.
    package static func folders(above path: String) -> [String] {
        path.utf8.indices.dropFirst().filter { path.utf8[$0] == slash }.map { String(path[..<$0]) }
    }

    /// A path without the slashes at its end. The root folder stays `/`.
    package static func withoutLastSlashes(_ path: String) -> String {
        guard let last = path.utf8.lastIndex(where: { $0 != slash }) else { return path.isEmpty ? "" : "/" }
        return String(path[..<path.utf8.index(after: last)])
    }
}
