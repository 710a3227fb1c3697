import Glibc

/// The capabilities that Bluetooth sockets require. capabilities(7).
package enum Capability: UInt64 {
    /// Bring an adapter up, take its user channel.
    case netAdmin = 12
    /// Send LE commands and receive LE events on a raw HCI socket.
    case netRaw = 13

    package var name: String {
        switch self {
        case .netAdmin: "cap_net_admin"
        case .netRaw: "cap_net_raw"
        }
    }

    /// Whether this process has it.
    package var isHeld: Bool { isHeld(by: "self") }

    package func isHeld(byProcess process: Int) -> Bool { isHeld(by: "\(process)") }

    /// From `CapEff` in /proc/PID/status; true if that cannot be read, so that the kernel decides.
    private func isHeld(by process: String) -> Bool {
        for line in KernelFiles.lines("/proc/\(process)/status") where line.hasPrefix("CapEff:") {
            let digits = line.dropFirst(7).filter(\.isHexDigit)
            return UInt64(digits, radix: 16).map { $0 >> rawValue & 1 == 1 } ?? true
        }
        return true
    }

    /// Whether systemd runs this program. There a file's capabilities have no effect (NoNewPrivileges=).
    private static var isService: Bool { getenv("NOTIFY_SOCKET") != nil }

    /// How a user grants it to this program.
    package var remedy: String {
        if Self.isService {
            return "give it to the unit, with AmbientCapabilities= and CapabilityBoundingSet=\(name.uppercased()) "
                + "below [Service] (sudo systemctl edit)"
        }
        let program = KernelFiles.target(ofLink: "/proc/self/exe") ?? "PROGRAM"
        return "run: sudo setcap \(name)+ep \(program), or in a systemd unit: "
            + "AmbientCapabilities=\(name.uppercased())"
    }
}
