import Foundation

/// A Bluetooth proxy, played with ESPHome's own messages, from the Python environment that `tools/test` makes.
package final class ESPHomePeer: Sendable {
    /// Why it cannot be used here; nil where it can.
    package static let absence = environment.absence

    private static let environment = PythonEnvironment("BEACOND_ESPHOME_VENV", "esphome-venv")

    /// A key of 32 bytes in base64.
    package static let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()

    package let port: UInt16

    package init() throws {
        port = try freePort()
    }

    /// Starts it, and returns when it listens. Its lines are what the client says.
    package func start(_ options: [String] = []) async throws -> RunningProgram {
        let proxy = try RunningProgram(
            Self.environment.python(),
            ["-B", "\(Programs.project)/Tests/Peers/esphome_proxy.py", "\(port)"] + options)
        try await proxy.waitUntil("it listens") { $0.lines.contains { $0.contains("ready") } }
        return proxy
    }
}
