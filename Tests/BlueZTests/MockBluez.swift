import BlueZ
import Bus
import Foundation
import TestSupport

extension PrivateBus {
    var address: BusAddress { BusAddress(socket) }
}

/// A bluetoothd without hardware: python-dbusmock with this project's own template.
final class MockBluez: Sendable {
    static let busDaemon = PrivateBus.program

    /// It sees Debian's python3-dbus and python3-gi, and has what Tests/Peers/requirements-bluez.txt lists.
    private static let environment = PythonEnvironment("BEACOND_BLUEZ_VENV", "bluez-venv")

    /// Why it cannot be used here; nil where it can.
    static let absence: String? = {
        if busDaemon == nil { return "dbus-daemon is not installed" }
        if let absence = environment.absence { return absence }
        return environment.installed("dbusmock") == nil ? "python-dbusmock is not installed in BEACOND_BLUEZ_VENV" : nil
    }()

    let bus: PrivateBus
    let program: RunningProgram
    private let connection: BusConnection

    /// Starts it, and returns when it has its name.
    ///
    /// - Parameter parameters: the template's, in JSON.
    init(_ bus: PrivateBus, parameters: String = "{}") async throws {
        self.bus = bus
        program = try RunningProgram(
            Self.environment.python(),
            [
                "-B", "-m", "dbusmock", "--system", "--template", "\(Programs.project)/Tests/Peers/bluez_mock.py",
                "--parameters", parameters, "--logfile", "\(bus.folder)/calls.log",
            ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address.description, "PYTHONUNBUFFERED": "1"])
        try await program.waitUntil("the mock is ready") { $0.lines.contains("ready") }
        connection = BusConnection(bus.address, receiver: IgnoringReceiver())
        try connection.start()
    }

    deinit {
        connection.close()
    }

    /// Ends it the hard way, as a crash.
    func kill() async throws {
        _ = try await program.stop(with: SIGKILL)
    }

    // MARK: - What happens to it

    func addAdapter(_ name: String, isPowered: Bool = true) async throws {
        try await call("AddAdapter", [.string(name), .boolean(isPowered)])
    }

    func removeAdapter(_ name: String) async throws {
        try await call("RemoveAdapter", [.string(name)])
    }

    func setPower(of name: String, _ isPowered: Bool) async throws {
        try await call("SetPowered", [.string(name), .boolean(isPowered)])
    }

    /// An iBeacon is heard; returns whether bluetoothd said anything to anybody.
    @discardableResult
    func hear(_ address: String, rssi: Int16, minor: UInt16 = 1, on adapter: String = "hci0") async throws -> Bool {
        let answer = try await call(
            "Hear",
            [
                .string(adapter), .string(address), .string("random"), .int16(rssi),
                .bytes(Announced.octets(minor: minor)),
            ])
        return answer.body.first?.boolean ?? false
    }

    @discardableResult
    private func call(_ member: String, _ body: [BusValue]) async throws -> BusMessage {
        try await connection.call(.call("org.bluez", "/", "org.beacond.BluezMock", member, body), timeout: longestWait)
    }

    private struct IgnoringReceiver: BusReceiver {
        func busDidConnect() {}
        func receive(_ message: BusMessage) {}
        func busDidClose(_ error: BusError?) {}
    }
}
