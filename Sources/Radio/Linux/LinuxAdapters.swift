package import Beacon
import CBluez
import Glibc
import Platform

/// One Bluetooth adapter as the kernel lists it.
package struct LinuxAdapter: Hashable, Sendable {
    /// The number in `hciN`.
    package var index: UInt16
    package var address: DeviceAddress
    package var isUp: Bool
    package var hasLowEnergy: Bool

    package init(index: UInt16, address: DeviceAddress, isUp: Bool, hasLowEnergy: Bool) {
        self.index = index
        self.address = address
        self.isUp = isUp
        self.hasLowEnergy = hasLowEnergy
    }

    package var name: String { "hci\(index)" }
}

/// The kernel's Bluetooth adapters.
package enum LinuxAdapters {
    /// The index for a socket that is not bound to one adapter (HCI_DEV_NONE).
    static let noAdapter: Int32 = 0xFFFF

    /// All adapters, in the order of their index.
    ///
    /// - Throws: if the kernel has no Bluetooth.
    package static func all() throws(RadioError) -> [LinuxAdapter] {
        let socket = try openSocket(at: "Bluetooth")
        var indexes = [UInt16](repeating: 0, count: 16)
        let count = cbluez_adapters(socket.number, &indexes, Int32(indexes.count))
        guard count >= 0 else {
            throw RadioError(.cannotOpen, at: "Bluetooth", "cannot list the adapters: \(reason())")
        }
        return indexes.prefix(Int(count)).compactMap { adapter($0, socket) }.sorted { $0.index < $1.index }
    }

    static func adapter(_ index: UInt16, _ socket: OwnedDescriptor) -> LinuxAdapter? {
        var information = hci_dev_info()
        information.dev_id = index
        guard cbluez_adapter_information(socket.number, &information) == 0 else { return nil }
        let isUp = cbluez_is_up(&information) != 0
        return LinuxAdapter(
            index: index, address: DeviceAddress(cbluez_address(&information)), isUp: isUp,
            // The kernel reads the features when the adapter comes up. Until then, LE is assumed.
            hasLowEnergy: !isUp || cbluez_has_le(&information) != 0)
    }

    /// Whether a program uses the adapter exclusively, by its user channel. The kernel then answers EBUSY to other
    /// programs' requests (net/bluetooth/hci_sock.c).
    package static func isTaken(_ index: UInt16) -> Bool {
        guard let socket = try? openSocket(at: "hci\(index)"),
            cbluez_bind(socket.number, Int32(index), HCI_CHANNEL_RAW) == 0
        else { return false }
        return cbluez_is_busy(socket.number) != 0
    }

    static func openSocket(at place: String) throws(RadioError) -> OwnedDescriptor {
        // SOCK_RAW, SOCK_CLOEXEC and SOCK_NONBLOCK are an enumeration in Glibc, so their values are put together here.
        let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_BLUETOOTH, kind, BTPROTO_HCI)
        guard descriptor >= 0 else {
            if errno == EAFNOSUPPORT {
                throw RadioError(
                    .cannotOpen, at: place, "this kernel has no Bluetooth",
                    remedy: "load its module (sudo modprobe bluetooth), or use --source sim or h4:…")
            }
            throw RadioError(.cannotOpen, at: place, "cannot open a Bluetooth socket: \(reason())")
        }
        return OwnedDescriptor(descriptor)
    }

    static func reason() -> String {
        SystemFailure().description
    }
}
