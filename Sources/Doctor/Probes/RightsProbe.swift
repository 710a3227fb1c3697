import Listening
import Radio

/// The capabilities of this user and of the service.
enum RightsProbe {
    static func findings(_ source: SourceSpec) -> [Finding] {
        [source.usesBluetoothd ? Finding("rights", .ok, "none are needed through bluetoothd") : ofUser(source)]
            + [ofService()]
    }

    private static func ofUser(_ source: SourceSpec) -> Finding {
        let needed: Capability = source.usesUserChannel ? .netAdmin : .netRaw
        guard needed.isHeld else {
            let why = needed == .netRaw ? "the kernel hides LE events" : "the user channel asks for it"
            return Finding(
                "rights", .failure, "\(needed.name) is missing: \(why)",
                remedy: needed.remedy + "; or listen through bluetoothd (--source bluez:hci0)")
        }
        guard Capability.netAdmin.isHeld else {
            return Finding(
                "rights", .ok, "\(Capability.netRaw.name), which is enough to listen on an adapter that is up")
        }
        return Finding(
            "rights", .ok, [Capability.netRaw, .netAdmin].filter(\.isHeld).map(\.name).joined(separator: ", "))
    }

    /// The service that is running, otherwise the one that would be started.
    private static func ofService() -> Finding {
        if let process = Processes.first(named: "beacond") {
            return Capability.netRaw.isHeld(byProcess: process)
                ? Finding("service", .ok, "beacond runs (process \(process)) with \(Capability.netRaw.name)")
                : Finding(
                    "service", .warning, "beacond runs (process \(process)) without \(Capability.netRaw.name)",
                    remedy: "fine with bluez:… as its source; else give its unit AmbientCapabilities=CAP_NET_RAW")
        }
        guard let lines = unitLines() else { return Finding("service", .ok, "beacond is no service here") }
        let rights = lines.filter { $0.hasPrefix("AmbientCapabilities=") }
            .flatMap { $0.dropFirst("AmbientCapabilities=".count).split(separator: " ") }
        return rights.contains("CAP_NET_RAW")
            ? Finding("service", .ok, "beacond.service has \(rights.joined(separator: " ")), and does not run")
            : Finding(
                "service", .warning, "beacond.service has no CAP_NET_RAW",
                remedy: "fine with bluez:… as its source; else: sudo systemctl edit beacond, [Service], "
                    + "AmbientCapabilities=CAP_NET_RAW")
    }

    /// The lines of the unit and its drop-ins; nil if there is no unit. systemd.unit(5).
    private static func unitLines() -> [String]? {
        let folders = ["/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]
        guard let unit = folders.map({ KernelFiles.lines("\($0)/beacond.service") }).first(where: { !$0.isEmpty })
        else {
            return nil
        }
        return folders.reduce(into: unit) { lines, folder in
            for name in KernelFiles.names(in: "\(folder)/beacond.service.d") where name.hasSuffix(".conf") {
                lines += KernelFiles.lines("\(folder)/beacond.service.d/\(name)")
            }
        }
    }
}
