import DaemonSettings
import Daemon
import Foundation

/// A folder for a configuration and the files that it names.
struct ConfigurationFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
    }

    /// Reads a configuration in it, as `beacond.yaml`, and removes the folder.
    func load(_ yaml: String, _ environment: [String: String] = [:]) async throws -> DaemonConfiguration {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write(yaml, to: "beacond.yaml")
        return try await DaemonConfiguration.load(file: path + "/beacond.yaml", environment: environment)
    }
}
