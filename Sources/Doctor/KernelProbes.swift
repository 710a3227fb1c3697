import Glibc
import Radio

/// One adapter: there, switched on, up, able to do Bluetooth Low Energy.
enum AdapterProbe {
    static func finding(_ adapter: LinuxAdapter) -> Finding {
        let name = "adapter \(adapter.name)"
        switch RadioSwitch.block(of: adapter.name) {
        case .hard:
            return Finding(name, .failure, "\(adapter.address), blocked by a switch", remedy: "switch it on")
        case .soft:
            return Finding(
                name, .failure, "\(adapter.address), blocked by rfkill", remedy: "run: rfkill unblock bluetooth")
        case nil:
            break
        }
        guard adapter.isUp else {
            return Finding(
                name, .failure, "\(adapter.address), down",
                remedy: "run: bluetoothctl power on, or sudo hciconfig \(adapter.name) up")
        }
        guard adapter.hasLowEnergy else {
            return Finding(
                name, .failure, "\(adapter.address), has no Bluetooth Low Energy", remedy: "use another adapter")
        }
        return Finding(name, .ok, "\(adapter.address), up, Bluetooth Low Energy")
    }
}

/// The rights of this user.
enum RightsProbe {
    static func finding() -> Finding {
        guard Capability.netRaw.isHeld else {
            return Finding(
                "rights", .failure, "\(Capability.netRaw.name) is missing: the kernel hides LE events",
                remedy: Capability.netRaw.remedy + "; or listen through bluetoothd (--source bluez:hci0)")
        }
        guard Capability.netAdmin.isHeld else {
            return Finding(
                "rights", .ok, "\(Capability.netRaw.name), which is enough to listen on an adapter that is up")
        }
        return Finding("rights", .ok, "\(Capability.netRaw.name), \(Capability.netAdmin.name)")
    }
}

/// Who else uses the adapter or its antenna.
enum NeighbourProbe {
    static func findings(_ adapter: LinuxAdapter) -> [Finding] {
        var findings: [Finding] = []
        findings.append(
            isRunning("bluetoothd")
                ? Finding("neighbours", .ok, "bluetoothd runs; its scans are followed and ours is kept alive")
                : Finding("neighbours", .ok, "no bluetoothd"))
        if isOnSerialLine(adapter), let wireless = wirelessInterface() {
            findings.append(
                Finding(
                    "antenna", .warning, "\(adapter.name) is on a serial line and \(wireless) is there: on a Raspberry Pi "
                        + "they share one chip and antenna",
                    remedy: "if Wi-Fi gets slow: scan.profile: wifi-friendly, or a USB adapter"))
        }
        return findings
    }

    /// From /proc/PID/comm.
    private static func isRunning(_ name: String) -> Bool {
        KernelFiles.names(in: "/proc").contains { entry in
            entry.allSatisfy(\.isNumber) && KernelFiles.lines("/proc/\(entry)/comm") == [name]
        }
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
