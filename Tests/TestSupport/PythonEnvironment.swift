import Foundation

/// A Python environment that `tools/test` makes, with programs of others.
package struct PythonEnvironment: Sendable {
    private let variable: String
    /// Nil where it was not made.
    private let folder: String?

    /// - Parameters:
    ///   - variable: the environment variable that names its folder.
    ///   - name: its folder in `.tools`, where the variable is not set.
    package init(_ variable: String, _ name: String) {
        self.variable = variable
        let named = ProcessInfo.processInfo.environment[variable]
        folder = [named, "\(Programs.project)/.tools/\(name)"].compactMap { $0 }
            .first { FileManager.default.isExecutableFile(atPath: "\($0)/bin/python") }
    }

    /// Why it cannot be used here; nil where it can.
    package var absence: String? {
        folder == nil ? "no Python environment: tools/test makes it (or set \(variable))" : nil
    }

    /// The interpreter.
    ///
    /// - Throws: the reason for its absence.
    package func python() throws -> String {
        guard let folder else { throw RunningProgram.Failure(description: absence ?? "no Python environment") }
        return "\(folder)/bin/python"
    }

    /// The path of a file or folder of an installed package; nil where it is not installed.
    package func installed(_ file: String) -> String? {
        guard let folder else { return nil }
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/lib")) ?? []
        return versions.map { "\(folder)/lib/\($0)/site-packages/\(file)" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }
}
