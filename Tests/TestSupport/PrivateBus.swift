import Foundation

/// A message bus of the test's own, with its own socket and policy: dbus-daemon in the foreground.
package final class PrivateBus: Sendable {
    /// The program; nil where it is not installed.
    package static let program = Programs.installed("dbus-daemon")

    /// Where it listens, as in DBUS_SYSTEM_BUS_ADDRESS.
    package let socket: String
    package let folder: String
    private let daemon: RunningProgram

    /// - Parameter policy: rules besides the one that allows everything; the last that fits counts.
    package init(policy: String = "") async throws {
        guard let path = Self.program else { throw RunningProgram.Failure(description: "no dbus-daemon") }
        folder = try temporaryFolder("bus")
        socket = "unix:path=\(folder)/socket"
        let text = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <listen>\(socket)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/>
                <allow own="*"/>
                <allow send_destination="*"/>
                <allow receive_sender="*"/>
                \(policy)
              </policy>
            </busconfig>
            """
        try text.write(toFile: "\(folder)/bus.conf", atomically: false, encoding: .utf8)
        daemon = try RunningProgram(
            path, ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address=1"])
        try await daemon.waitUntil("the bus listens") { !$0.lines.isEmpty }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    package func stop() async throws {
        _ = try await daemon.stop()
    }
}
