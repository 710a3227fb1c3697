public import Beacon
import CBluez
import Glibc
import HCI
import Synchronization

/// One of the kernel's adapters through an HCI socket: the raw channel, shared with the kernel and other programs, or
/// the user channel, which takes the adapter for this program alone.
public final class LinuxHCITransport: Transport {
    public enum Adapter: Hashable, Sendable {
        case index(UInt16)
        /// Pinned by its own address, because indexes change when adapters come and go.
        case address(DeviceAddress)
    }

    public enum Channel: Hashable, Sendable {
        case raw
        case user
    }

    private let adapter: Adapter
    private let channel: Channel
    private let place: String
    private let opened = Mutex<Opened?>(nil)

    private struct Opened {
        var descriptor: Int32
        var reader: DescriptorReader
        /// The adapter that was down, and goes down again at the end.
        var broughtUp: UInt16?
    }

    public init(_ adapter: Adapter, channel: Channel) {
        self.adapter = adapter
        self.channel = channel
        place =
            switch adapter {
            case .index(let index): "hci\(index)"
            case .address(let address): "hci:\(address)"
            }
    }

    public var sharing: ControllerSharing { channel == .user ? .exclusive : .shared }

    public func open(delivering receiver: any PacketReceiver) async throws(RadioError) {
        let needed: Capability = channel == .user ? .netAdmin : .netRaw
        guard needed.isHeld else {
            throw RadioError(
                .notPermitted, at: place, "the right \(needed.name) is missing, without which the kernel hides LE events",
                remedy: needed.remedy)
        }
        let descriptor = try LinuxAdapters.openSocket(at: place)
        do throws(RadioError) {
            let index = try index(descriptor)
            let wasDown = try prepare(descriptor, index)
            let reader = DescriptorReader(descriptor: descriptor, place: place, receiver: receiver)
            opened.withLock {
                $0 = Opened(descriptor: descriptor, reader: reader, broughtUp: wasDown ? index : nil)
            }
            try reader.start()
        } catch {
            opened.withLock { $0 = nil }
            Glibc.close(descriptor)
            throw error
        }
    }

    private func index(_ descriptor: Int32) throws(RadioError) -> UInt16 {
        let adapters = try LinuxAdapters.all()
        let found = adapters.first { candidate in
            switch adapter {
            case .index(let index): candidate.index == index
            case .address(let address): candidate.address == address
            }
        }
        guard let found else {
            let present = adapters.map { "\($0.name) (\($0.address))" }.joined(separator: ", ")
            throw RadioError(
                .cannotOpen, at: place, "there is no such adapter",
                remedy: present.isEmpty ? "plug one in, or unblock it with rfkill" : "present: \(present)")
        }
        return found.index
    }

    /// Returns whether the adapter was down and has been brought up.
    private func prepare(_ descriptor: Int32, _ index: UInt16) throws(RadioError) -> Bool {
        let isUp = LinuxAdapters.adapter(index, descriptor)?.isUp ?? false
        switch channel {
        case .raw:
            if !isUp { try bringUp(descriptor, index) }
            guard cbluez_bind(descriptor, Int32(index), HCI_CHANNEL_RAW) == 0,
                cbluez_listen_to_events(descriptor) == 0
            else { throw RadioError(.cannotOpen, at: place, "cannot listen: \(LinuxAdapters.reason())") }
            return !isUp
        case .user:
            guard cbluez_bind(descriptor, Int32(index), HCI_CHANNEL_USER) == 0 else {
                let remedy =
                    switch errno {
                    // The kernel answers so too where another program's user channel has brought it up.
                    case EBUSY:
                        "the adapter is up and in use: take it down first (sudo hciconfig hci\(index) down); where that "
                            + "fails as well, another program has taken it"
                    case EUSERS: "another program has taken it"
                    default: ""
                    }
                throw RadioError(
                    .cannotOpen, at: place, "cannot take the adapter for itself: \(LinuxAdapters.reason())",
                    remedy: remedy)
            }
            // The kernel takes the adapter down again when the socket closes.
            return false
        }
    }

    private func bringUp(_ descriptor: Int32, _ index: UInt16) throws(RadioError) {
        switch RadioSwitch.block(of: "hci\(index)") {
        case .hard:
            throw RadioError(
                .cannotOpen, at: place, "the adapter is blocked by a switch on the device", remedy: "switch it on")
        case .soft:
            throw RadioError(
                .cannotOpen, at: place, "the adapter is blocked by rfkill", remedy: "run: rfkill unblock bluetooth")
        case nil:
            break
        }
        guard cbluez_up(descriptor, Int32(index)) == 0 || errno == EALREADY else {
            switch errno {
            case ERFKILL:
                throw RadioError(
                    .cannotOpen, at: place, "the adapter is blocked by rfkill", remedy: "run: rfkill unblock bluetooth")
            case EPERM:
                throw RadioError(
                    .notPermitted, at: place, "the adapter is down",
                    remedy: "bring it up (bluetoothctl power on, or sudo hciconfig hci\(index) up), or give "
                        + "\(Capability.netAdmin.name): \(Capability.netAdmin.remedy)")
            default:
                throw RadioError(.cannotOpen, at: place, "the adapter does not come up: \(LinuxAdapters.reason())")
            }
        }
    }

    public func send(_ packet: [UInt8]) async throws(RadioError) {
        guard let descriptor = opened.withLock({ $0?.descriptor }) else {
            throw RadioError(.closed, at: place, "the adapter is not open")
        }
        while write(descriptor, packet, packet.count) < 0 {
            guard errno == EINTR || errno == EAGAIN else {
                guard errno != ENETDOWN else {
                    throw RadioError(
                        .disconnected, at: place, "the adapter was taken down",
                        remedy: "bring it up again, for example with bluetoothctl power on")
                }
                throw RadioError(.disconnected, at: place, "cannot send: \(LinuxAdapters.reason())")
            }
        }
    }

    /// Packets that the kernel dropped because this program was too slow; nil where it does not tell.
    public var overruns: Int? {
        guard let descriptor = opened.withLock({ $0?.descriptor }) else { return nil }
        let dropped = cbluez_dropped(descriptor)
        return dropped < 0 ? nil : Int(dropped)
    }

    public func close() async {
        let opened = opened.withLock { opened in
            defer { opened = nil }
            return opened
        }
        if let opened, let index = opened.broughtUp { _ = cbluez_down(opened.descriptor, Int32(index)) }
        opened?.reader.stop()
    }
}
