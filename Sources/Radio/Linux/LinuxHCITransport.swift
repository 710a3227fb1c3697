package import Beacon
import CBluez
import Glibc
import HCI
import Platform
import Synchronization

/// One of the kernel's adapters through an HCI socket: the raw channel, shared with the kernel and other programs, or
/// the user channel, which takes the adapter for this program alone.
package final class LinuxHCITransport: Transport {
    package enum Adapter: Hashable, Sendable {
        case index(UInt16)
        /// Pinned by its own address, because indexes change when adapters come and go.
        case address(DeviceAddress)
    }

    package enum Channel: Hashable, Sendable {
        case raw
        case user
    }

    private let adapter: Adapter
    private let channel: Channel
    private let place: String
    private let opened = Mutex<Opened?>(nil)

    private let lost = Atomic(0)

    private struct Opened {
        var socket: OwnedDescriptor
        var reader: DescriptorReader
        /// The adapter that was down, and is taken down again at the end.
        var broughtUp: UInt16?
    }

    package init(_ adapter: Adapter, channel: Channel) {
        self.adapter = adapter
        self.channel = channel
        place =
            switch adapter {
            case .index(let index): "hci\(index)"
            case .address(let address): "hci:\(address)"
            }
    }

    package var sharing: ControllerSharing { channel == .user ? .exclusive : .shared }

    package func open(delivering receiver: any PacketReceiver) async throws(RadioError) {
        let needed: Capability = channel == .user ? .netAdmin : .netRaw
        guard needed.isHeld else {
            throw RadioError(
                .notPermitted, at: place,
                "the right \(needed.name) is missing, without which the kernel hides LE events",
                remedy: needed.remedy)
        }
        let prepared = try await prepared()
        let (socket, index) = (prepared.socket, prepared.index)
        let reader = DescriptorReader(
            socket, notices: channel == .raw ? Self.notices(about: index) : nil, place: place, receiver: receiver)
        do throws(RadioError) {
            try reader.start()
        } catch {
            if prepared.wasDown { await Self.takeDown(index, socket) }
            throw error
        }
        opened.withLock { $0 = Opened(socket: socket, reader: reader, broughtUp: prepared.wasDown ? index : nil) }
    }

    private struct Prepared: Sendable {
        var socket: OwnedDescriptor
        var index: UInt16
        /// Whether the adapter was down and has been brought up.
        var wasDown: Bool
    }

    /// On a thread of its own: the kernel may take seconds to bring an adapter up.
    private func prepared() async throws(RadioError) -> Prepared {
        do {
            return try await OwnThread.run {
                let socket = try LinuxAdapters.openSocket(at: self.place)
                let index = try self.index()
                return Prepared(socket: socket, index: index, wasDown: try self.prepare(socket, index))
            }
        } catch let error as RadioError {
            throw error
        } catch {
            throw RadioError(.cannotOpen, at: place, "\(error)")
        }
    }

    /// Takes the adapter down, as it was found. The kernel waits for the controller meanwhile.
    private static func takeDown(_ index: UInt16, _ socket: OwnedDescriptor) async {
        _ = try? await OwnThread.run { cbluez_down(socket.number, Int32(index)) }
    }

    /// A raw socket stays open and silent when its adapter goes down, and would then receive what another program does
    /// with the adapter by its user channel.
    private static func notices(about index: UInt16) -> DescriptorReader.Notices? {
        AdapterNotice.openSocket().map { socket in
            DescriptorReader.Notices(socket: socket) { packet in
                guard let notice = AdapterNotice(packet), notice.index == index else { return nil }
                switch notice.change {
                case .down: return .doubtful(.takenDown)
                case .up where LinuxAdapters.isTaken(index):
                    return .over(DescriptorReader.Loss(reason: "another program has taken the adapter for itself"))
                case .up: return .well
                case .unregistered: return .over(.gone)
                case .registered, .suspended, .resumed: return nil
                }
            }
        }
    }

    private func index() throws(RadioError) -> UInt16 {
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
    private func prepare(_ socket: OwnedDescriptor, _ index: UInt16) throws(RadioError) -> Bool {
        let isUp = LinuxAdapters.adapter(index, socket)?.isUp ?? false
        switch channel {
        case .raw:
            // The kernel would let us interfere with that program.
            guard !LinuxAdapters.isTaken(index) else {
                throw RadioError(
                    .cannotOpen, at: place, "another program has taken the adapter for itself, by its user channel",
                    remedy: "stop that program, or use another adapter")
            }
            if !isUp { try bringUp(socket, index) }
            guard cbluez_bind(socket.number, Int32(index), HCI_CHANNEL_RAW) == 0,
                cbluez_listen_to_events(socket.number) == 0
            else {
                let failure = SystemFailure()
                if !isUp { _ = cbluez_down(socket.number, Int32(index)) }
                throw RadioError(.cannotOpen, at: place, "cannot listen: \(failure)")
            }
            return !isUp
        case .user:
            guard cbluez_bind(socket.number, Int32(index), HCI_CHANNEL_USER) == 0 else {
                let failure = SystemFailure()
                let remedy =
                    switch failure.code {
                    // The kernel also answers this if another program's user channel has brought it up.
                    case EBUSY:
                        "the adapter is up and in use: take it down first (sudo hciconfig hci\(index) down); where "
                            + "that fails as well, another program has taken it"
                    case EUSERS: "another program has taken it"
                    default: ""
                    }
                throw RadioError(
                    .cannotOpen, at: place, "cannot take the adapter for itself: \(failure)",
                    remedy: remedy)
            }
            cbluez_stamp_packets(socket.number)
            // The kernel takes the adapter down again when the socket closes.
            return false
        }
    }

    private func bringUp(_ socket: OwnedDescriptor, _ index: UInt16) throws(RadioError) {
        switch RadioSwitch.block(of: "hci\(index)") {
        case .hard:
            throw RadioError(
                .cannotOpen, at: place, "the adapter is blocked by a switch on the device", remedy: "switch it on")
        case .soft:
            throw RadioError(
                .cannotOpen, at: place, "the adapter is blocked by rfkill", remedy: "run: sudo rfkill unblock bluetooth"
            )
        case nil:
            break
        }
        guard cbluez_up(socket.number, Int32(index)) == 0 || errno == EALREADY else {
            let failure = SystemFailure()
            switch failure.code {
            case ERFKILL:
                throw RadioError(
                    .cannotOpen, at: place, "the adapter is blocked by rfkill",
                    remedy: "run: sudo rfkill unblock bluetooth")
            case EPERM:
                throw RadioError(
                    .notPermitted, at: place, "the adapter is down",
                    remedy: "bring it up (bluetoothctl power on, or sudo hciconfig hci\(index) up); to let this "
                        + "program do so, it needs \(Capability.netAdmin.name): \(Capability.netAdmin.remedy)")
            default:
                throw RadioError(.cannotOpen, at: place, "the adapter does not come up: \(failure)")
            }
        }
    }

    /// How long an adapter may accept no command.
    private static let sendLimit = Duration.seconds(1)

    package func send(_ packet: [UInt8]) async throws(RadioError) {
        guard let (socket, reader) = opened.withLock({ $0.map { ($0.socket, $0.reader) } }) else {
            throw RadioError(.closed, at: place, "the adapter is not open")
        }
        reader.expectAnswer()
        let began = ContinuousClock.now
        while write(socket.number, packet, packet.count) < 0 {
            let failure = errno
            switch failure {
            case EINTR:
                continue
            // Only one command is in flight at a time, so the buffer is never full for long.
            case EAGAIN where began.duration(to: .now) < Self.sendLimit,
                // `hciconfig reset` takes it down and up.
                ENETDOWN where began.duration(to: .now) < DescriptorReader.doubtLimit:
                // No thread waits meanwhile. Not a child task: a cancelled caller has to send, too.
                _ = await Task { try? await Task.sleep(for: .milliseconds(10)) }.value
            case EAGAIN:
                throw RadioError(.disconnected, at: place, "cannot send: the adapter does not accept commands")
            case ENETDOWN:
                let loss = DescriptorReader.Loss.takenDown
                throw RadioError(.disconnected, at: place, loss.reason, remedy: loss.remedy)
            default:
                throw RadioError(.disconnected, at: place, "cannot send: \(SystemFailure(failure))")
            }
        }
    }

    package var overruns: Int {
        if let socket = opened.withLock({ $0?.socket }) {
            lost.store(max(0, Int(cbluez_dropped(socket.number))), ordering: .relaxed)
        }
        return lost.load(ordering: .relaxed)
    }

    package func close() async {
        _ = overruns
        let opened = opened.withLock { opened in
            defer { opened = nil }
            return opened
        }
        guard let opened else { return }
        // Before the adapter goes down, because that would be reported as a failure.
        await opened.reader.stopAndWait()
        if let index = opened.broughtUp { await Self.takeDown(index, opened.socket) }
    }
}
