import Foundation

/// A real MQTT broker on loopback: unprivileged, with its own files only. Sessions of its clients survive `stop`.
package final class Mosquitto: Sendable {
    /// The program: `$MOSQUITTO`, or Debian's. Nil where it or its clients are missing.
    package static var program: String? {
        guard Programs.installed("mosquitto_sub") != nil else { return nil }
        let environment = ProcessInfo.processInfo.environment["MOSQUITTO"]
        return [environment, "/usr/sbin/mosquitto"].compactMap { $0 }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Makes its files of passwords; in the same package, so beside it.
    package static var passwordProgram: String {
        let beside = (program ?? "").replacingOccurrences(of: "/sbin/mosquitto", with: "/bin/mosquitto_passwd")
        return FileManager.default.isExecutableFile(atPath: beside) ? beside : "mosquitto_passwd"
    }

    /// Why tests with a broker are skipped.
    package static let missing =
        "mosquitto is not installed (apt-get install mosquitto mosquitto-clients, or set MOSQUITTO)"

    /// The port on 127.0.0.1. It stays the same over `stop` and `start`.
    package let port: UInt16
    package let folder: String

    /// - Parameter options: more lines of mosquitto.conf(5), behind its only listener.
    package init(options: String = "allow_anonymous true", folder: String? = nil) throws {
        port = try freePort()
        self.folder = try folder ?? temporaryFolder("mosquitto")
        // As root it would become another user, who cannot write here.
        let text = """
            user root
            persistence true
            persistence_location \(self.folder)/
            max_queued_messages 0
            log_type all
            listener \(port) 127.0.0.1
            \(options)

            """
        try text.write(toFile: "\(self.folder)/mosquitto.conf", atomically: true, encoding: .utf8)
    }

    /// Starts it, and returns when it listens.
    package func start() async throws -> RunningProgram {
        let broker = try RunningProgram(Self.program ?? "mosquitto", ["-c", "\(folder)/mosquitto.conf"])
        try await broker.waitUntil("it listens") { $0.errors.contains(" running") }
        return broker
    }

    /// A subscriber with a session of its own. Every message is a line: retained (0 or 1), quality, topic, payload.
    package func subscriber(_ topics: String..., options: [String] = []) throws -> RunningProgram {
        try RunningProgram("mosquitto_sub", Self.arguments(port, topics) + options)
    }

    private static func arguments(_ port: UInt16, _ topics: [String]) -> [String] {
        [
            "-h", "127.0.0.1", "-p", "\(port)", "-i", "test-\(UUID().uuidString)", "-c", "-q", "1", "-F", "%r %q %t %p",
        ] + topics.flatMap { ["-t", $0] }
    }

    /// A subscriber for whom a broker that comes later keeps what it gets from its first moment on.
    package func expectedSubscriber(_ topics: String...) async throws -> RunningProgram {
        let broker = try await start()
        let subscriber = try RunningProgram("mosquitto_sub", Self.arguments(port, topics))
        try await broker.waitUntil("it has subscribed") { $0.errors.contains("Sending SUBACK") }
        _ = try await broker.stop()
        return subscriber
    }

    /// Publishes one message.
    package func publish(_ topic: String, _ payload: String, isRetained: Bool = false) async throws {
        _ = try await RunningProgram.run(
            "mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-t", topic, "-m", payload, "-q", "1"] + (isRetained ? ["-r"] : []))
    }
}
