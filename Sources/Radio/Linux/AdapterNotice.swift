import Beacon
import CBluez
import Platform

/// The kernel's notice that an adapter has changed: an event that no controller sent (BlueZ, lib/hci.h,
/// EVT_STACK_INTERNAL).
struct AdapterNotice {
    enum Change: UInt16 {
        case registered = 1
        case unregistered
        case up
        case down
        case suspended
        case resumed
    }

    var index: UInt16
    var change: Change

    /// Reads one packet from a socket for notices. Returns nil for anything else.
    init?(_ packet: RawSpan) {
        // H4 type, event code, length, EVT_SI_DEVICE, then the change and the adapter.
        guard packet.byteCount >= 9, packet.octet(at: 0) == 0x04, packet.octet(at: 1) == 0xFD,
            packet.littleEndian16(at: 3) == 0x0001, let change = Change(rawValue: packet.littleEndian16(at: 5))
        else { return nil }
        self.change = change
        index = packet.littleEndian16(at: 7)
    }

    /// Opens a socket that receives notices; nil if the kernel has no Bluetooth, or refuses this process.
    static func openSocket() -> OwnedDescriptor? {
        guard Capability.netRaw.isHeld, let socket = try? LinuxAdapters.openSocket(at: "adapters"),
            cbluez_bind(socket.number, LinuxAdapters.noAdapter, HCI_CHANNEL_RAW) == 0,
            cbluez_listen_to_notices(socket.number) == 0
        else { return nil }
        return socket
    }
}
