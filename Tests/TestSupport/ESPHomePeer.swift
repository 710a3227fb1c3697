import Foundation

/// A Bluetooth proxy, played with ESPHome's own messages, from the Python environment that `tools/test` makes.
package final class ESPHomePeer: Sendable {
    /// Why it cannot be used here; nil where it can.
    package static let absence: String? =
        python == nil ? "no Python environment: tools/test makes it (or set BEACOND_ESPHOME_VENV)" : nil

    private static let python: String? = {
        let environment = ProcessInfo.processInfo.environment["BEACOND_ESPHOME_VENV"]
        return [environment, Programs.project + "/.tools/esphome-venv"].compactMap { $0 }.map { "\($0)/bin/python" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// A key of 32 bytes in base64.
    package static let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()

    package let port: UInt16

    package init() throws {
        port = try freePort()
    }

    /// Starts it, and returns when it listens. Its lines are what the client says.
    package func start(_ options: [String] = []) async throws -> RunningProgram {
        guard let python = Self.python else { throw RunningProgram.Failure(description: Self.absence ?? "no Python") }
        let proxy = try RunningProgram(
            python, ["-B", "\(Programs.project)/Tests/Peers/esphome_proxy.py", "\(port)"] + options)
        try await proxy.waitUntil("it listens") { $0.lines.contains { $0.contains("ready") } }
        return proxy
    }
}
