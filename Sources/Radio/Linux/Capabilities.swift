import Glibc

/// The rights of this process that Bluetooth sockets ask for. capabilities(7).
enum Capability: UInt64 {
    /// Bring an adapter up, take its user channel.
    case netAdmin = 12
    /// Send LE commands and hear LE events on a raw HCI socket.
    case netRaw = 13

    var name: String {
        switch self {
        case .netAdmin: "cap_net_admin"
        case .netRaw: "cap_net_raw"
        }
    }

    /// From `CapEff` in /proc/self/status; true where that cannot be read, so that the kernel decides.
    var isHeld: Bool {
        guard let file = fopen("/proc/self/status", "re") else { return true }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix("CapEff:") else { continue }
            let digits = text.dropFirst(7).filter { $0.isHexDigit }
            return UInt64(digits, radix: 16).map { $0 >> rawValue & 1 == 1 } ?? true
        }
        return true
    }

    /// How a user gives it to the program that runs now.
    var remedy: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let program = count > 0
            ? String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : "PROGRAM"
        return "run: sudo setcap \(name)+ep \(program), or in a systemd unit: "
            + "AmbientCapabilities=\(name.uppercased())"
    }
}
