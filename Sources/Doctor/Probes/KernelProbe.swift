import Listening
import Radio

/// The kernel and its adapters: present, not blocked, up, free, and with Bluetooth Low Energy.
enum KernelProbe {
    /// Also returns the adapter that the source uses, if there is one.
    static func examine(_ source: SourceSpec) -> ([Finding], LinuxAdapter?) {
        let adapters: [LinuxAdapter]
        do throws(RadioError) {
            adapters = try LinuxAdapters.all()
        } catch {
            return ([Finding("kernel", .failure, error.problem, remedy: error.remedy)], nil)
        }
        let kernel = Finding("kernel", .ok, "has Bluetooth")
        guard !adapters.isEmpty else {
            let none = Finding(
                "adapter", .failure, "none is there",
                remedy: "plug one in; on a Raspberry Pi check that dtoverlay=disable-bt is not in config.txt")
            return ([kernel, none], nil)
        }
        let chosen = choose(adapters, source)
        var findings = [kernel]
        for adapter in adapters {
            let finding = finding(adapter, source)
            // A problem with an adapter that is not used is only a warning.
            findings.append(adapter == chosen ? finding : finding.lessened)
        }
        if chosen == nil {
            findings.append(
                Finding(
                    "adapter", .failure, "there is no adapter for \(source)",
                    remedy: "name one of these: \(adapters.map(\.name).joined(separator: ", "))"))
        }
        return (findings, chosen)
    }

    private static func choose(_ adapters: [LinuxAdapter], _ source: SourceSpec) -> LinuxAdapter? {
        switch source.kind {
        case .adapter(.index(let index), _), .bluetoothd(let index): adapters.first { $0.index == index }
        case .adapter(.address(let address), _): adapters.first { $0.address == address }
        default: adapters.first { $0.isUp && $0.hasLowEnergy } ?? adapters.first
        }
    }

    private static func finding(_ adapter: LinuxAdapter, _ source: SourceSpec) -> Finding {
        let name = "adapter \(adapter.name)"
        func bad(_ problem: String, _ remedy: String) -> Finding {
            Finding(name, .failure, "\(adapter.address), \(problem)", remedy: remedy)
        }
        switch RadioSwitch.block(of: adapter.name) {
        case .hard: return bad("blocked by a switch", "switch it on")
        case .soft: return bad("blocked by rfkill", "run: sudo rfkill unblock bluetooth")
        case nil: break
        }
        if LinuxAdapters.isTaken(adapter.index) {
            return bad(
                "another program has taken it for itself, by its user channel",
                "stop that program, or use another adapter"
                    + SocketHolders.text(" (programs with Bluetooth sockets: ", ")"))
        }
        if source.usesUserChannel, !adapter.isUp {
            return Finding(name, .ok, "\(adapter.address), down, so that it can be taken")
        }
        guard adapter.isUp else {
            return bad("down", "run: bluetoothctl power on, or sudo hciconfig \(adapter.name) up")
        }
        guard adapter.hasLowEnergy else { return bad("has no Bluetooth Low Energy", "use another adapter") }
        return Finding(name, .ok, "\(adapter.address), up, Bluetooth Low Energy")
    }
}
