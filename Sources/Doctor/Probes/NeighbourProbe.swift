import Glibc
import Radio

/// Finds other users of the adapter or its antenna.
enum NeighbourProbe {
    static func findings(_ adapter: LinuxAdapter) -> [Finding] {
        var findings = [
            Finding("neighbours", .ok, "programs with Bluetooth sockets: " + SocketHolders.text("", "", ifNone: "none"))
        ]
        if isOnSerialLine(adapter), let wireless = wirelessInterface() {
            findings.append(
                Finding(
                    "antenna", .warning,
                    "\(adapter.name) is on a serial line and \(wireless) is there: on a Raspberry Pi "
                        + "they share one chip and antenna",
                    remedy: "if Wi-Fi gets slow: scan.profile: wifi-friendly, or a USB adapter"))
        }
        return findings
    }

    private static func isOnSerialLine(_ adapter: LinuxAdapter) -> Bool {
        guard let path = realpath("/sys/class/bluetooth/\(adapter.name)", nil) else { return false }
        defer { free(path) }
        let text = String(cString: path)
        return text.contains("/tty") || text.contains("/serial")
    }

    private static func wirelessInterface() -> String? {
        KernelFiles.names(in: "/sys/class/net").first { access("/sys/class/net/\($0)/wireless", F_OK) == 0 }
    }
}
