import Glibc

/// Programs of this package that this one runs. They are installed in the same folder, or in one of the package's
/// folders.
package enum OwnProgram {
    /// The path of a program, or nil if it is not installed.
    package static func path(of name: String) -> String? {
        [ownFolder, "/usr/libexec/beacond", "/usr/bin"].compactMap { $0 }.map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }

    private static var ownFolder: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return PathText.folder(of: String(cString: path))
    }
}
