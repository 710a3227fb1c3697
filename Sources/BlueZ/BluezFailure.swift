import Bus
import Radio

/// The failures with bluetoothd, as messages that tell the user what to do.
struct BluezFailure {
    /// The source's specification.
    var place: String
    /// The name that users know: hci0.
    var adapter: String

    init(adapter index: UInt16) {
        adapter = "hci\(index)"
        place = "bluez:\(adapter)"
    }

    func busUnreachable(_ error: BusError, _ address: BusAddress) -> RadioError {
        let remedy = "start it: sudo systemctl start dbus.socket; in a container, mount /run/dbus; or use \(adapter)"
        guard error.name == .noReply else {
            return RadioError(
                .cannotOpen, at: place, "no connection to the system bus at \(address): \(error)", remedy: remedy)
        }
        return RadioError(.timedOut, at: place, "the system bus at \(address) does not answer", remedy: remedy)
    }

    func busEnded() -> RadioError {
        RadioError(.disconnected, at: place, "the system bus ended the connection", remedy: "is dbus being restarted?")
    }

    func daemonAbsent() -> RadioError {
        RadioError(
            .cannotOpen, at: place, "bluetoothd does not run",
            remedy: "run: sudo systemctl start bluetooth (package bluez), or use \(adapter), which needs no bluetoothd")
    }

    func daemonEnded() -> RadioError {
        RadioError(
            .disconnected, at: place, "bluetoothd has ended",
            remedy: "it is followed when it comes back; see: systemctl status bluetooth")
    }

    func daemonSilent() -> RadioError {
        RadioError(
            .timedOut, at: place, "bluetoothd does not answer", remedy: "run: sudo systemctl restart bluetooth")
    }

    func nothingHeard() -> RadioError {
        RadioError(
            .silent, at: place, "bluetoothd has reported nothing for long",
            remedy: "it is asked again; is a Bluetooth device near? See: journalctl -u bluetooth")
    }

    func noAdapter(present: [String]) -> RadioError {
        let there = present.isEmpty ? "bluetoothd has no adapter at all" : "there is \(Self.list(present))"
        let remedy =
            present.isEmpty
            ? "see: bluetoothctl list, rfkill list, and whether a program holds \(adapter):user"
            : "name one of these, as bluez:\(present[0])"
        return RadioError(.cannotOpen, at: place, "bluetoothd has no adapter \(adapter); \(there)", remedy: remedy)
    }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    func adapterRemoved() -> RadioError {
        RadioError(
            .disconnected, at: place, "the adapter is gone from bluetoothd",
            remedy: "it was unplugged, or a program took it for itself")
    }

    /// - Parameter address: the adapter's own address, for bluetoothctl if there are several adapters.
    func poweredOff(address: String?, isBlocked: Bool) -> RadioError {
        if isBlocked {
            return RadioError(
                .cannotOpen, at: place, "the adapter is blocked by rfkill",
                remedy: "run: sudo rfkill unblock bluetooth, then: bluetoothctl power on")
        }
        let select = address.map { "; where there are several adapters, first: bluetoothctl select \($0)" } ?? ""
        return RadioError(
            .cannotOpen, at: place, "the adapter is powered off", remedy: "run: bluetoothctl power on" + select)
    }

    func forbidden(_ error: BusError) -> RadioError {
        RadioError(
            .notPermitted, at: place, "the D-Bus policy does not let this user talk to bluetoothd",
            remedy: "add the user to the group that /etc/dbus-1/system.d/bluetooth.conf names (bluetooth), or allow "
                + "send_destination=\"org.bluez\" for it there")
    }

    func refused(_ request: BluezRequest.Kind, _ error: BusError) -> RadioError {
        let purpose =
            switch request {
            case .watch: "the bus refuses to send signals"
            case .objects: "bluetoothd does not tell its adapters"
            default: "bluetoothd refuses to scan"
            }
        let name = error.name.rawValue.split(separator: ".").last.map { " (\($0))" } ?? ""
        return RadioError(
            .refused, at: place, "\(purpose): \(error.message.isEmpty ? "no reason given" : error.message)\(name)",
            remedy: "see: journalctl -u bluetooth")
    }

    /// The message for a failed call.
    func failure(of request: BluezRequest.Kind, _ error: BusError) -> RadioError {
        switch error.name {
        case .serviceUnknown, .nameHasNoOwner: daemonAbsent()
        case let name where name.rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn"): daemonAbsent()
        // systemd's answer to the bus if the unit cannot be started.
        case let name where name.rawValue.hasPrefix("org.freedesktop.systemd1."): daemonAbsent()
        case .accessDenied: forbidden(error)
        case .noReply: daemonSilent()
        case .disconnected: busEnded()
        case BusError.Name(rawValue: "org.bluez.Error.NotReady"): poweredOff(address: nil, isBlocked: false)
        default: refused(request, error)
        }
    }
}
