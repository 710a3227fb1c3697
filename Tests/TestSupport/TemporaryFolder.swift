import Foundation

/// A folder for one test, which goes with its last owner.
package final class TemporaryFolder: Sendable, CustomStringConvertible {
    package let path: String

    package init() throws {
        path = try temporaryFolder("test")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path, so that a path in it can be written as `"\(folder)/name"`.
    package var description: String { path }

    /// A path in it.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// What a file in it has.
    package func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// What is in it, sorted.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
