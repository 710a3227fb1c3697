import Beacon
import CBluez
import Glibc
import HCI
import Platform
import Synchronization

/// A thread that reads packets from an HCI socket and passes them on. The socket preserves packet boundaries. Events
/// are decoded on this thread, so that neither the cooperative threads nor an event loop ever wait for the kernel.
final class DescriptorReader: Sendable {
    private let socket: OwnedDescriptor
    private let notices: Notices?
    private let wake: WakeDescriptor?
    private let place: String
    private let receiver: any PacketReceiver
    private let isStopping = OneWayFlag()
    /// Whether a command was sent that the thread does not know of yet.
    private let isCommandSent = Atomic(false)
    private let isPausing = Atomic(false)
    /// Ends with the thread.
    private let (ends, ended) = AsyncStream<Never>.makeStream()

    /// A second socket, whose packets say when nothing more can come from the first.
    struct Notices: Sendable {
        var socket: OwnedDescriptor
        /// Nil for a packet that says nothing about the first socket.
        var judge: @Sendable (RawSpan) -> Verdict?

        enum Verdict {
            case over(Loss)
            /// It has ended, unless it soon works again: `hciconfig reset` takes an adapter down and up.
            case doubtful(Loss)
            case well
        }
    }

    /// Why nothing more can come.
    struct Loss: Sendable {
        var reason: String
        var remedy = "it was removed, reset or taken down"

        static let gone = Loss(reason: "the adapter is gone")
        static let takenDown = Loss(
            reason: "the adapter was taken down",
            remedy: "bring it up again, for example with bluetoothctl power on")
    }

    /// How long a verdict may stay `doubtful`.
    static let doubtLimit = Duration.seconds(2)

    init(_ socket: OwnedDescriptor, notices: Notices? = nil, place: String, receiver: any PacketReceiver) {
        self.socket = socket
        self.notices = notices
        self.place = place
        self.receiver = receiver
        wake = try? WakeDescriptor()
    }

    func start() throws(RadioError) {
        // Without this descriptor the thread could not be stopped.
        guard wake != nil else { throw RadioError(.cannotOpen, at: place, "this process has too many open files") }
        do {
            try OwnThread.start { self.run() }
        } catch {
            throw RadioError(.cannotOpen, at: place, error.description)
        }
    }

    /// Asks the thread to end.
    func stop() {
        isStopping.raise()
        wake?.wake()
    }

    /// Ends the thread, and suspends until it has ended: nothing is delivered afterwards. Only after `start`.
    func stopAndWait() async {
        stop()
        // Not a child task, because a cancelled caller must wait too.
        await Task { for await _ in ends {} }.value
    }

    /// Call it before a command is sent: its answer is then read as soon as it comes.
    func expectAnswer() {
        isCommandSent.store(true, ordering: .sequentiallyConsistent)
        if isPausing.load(ordering: .sequentiallyConsistent) { wake?.wake() }
    }

    private func run() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
        defer { buffer.deallocate() }
        let loss = serve(buffer)
        receiver.transportDidClose(
            loss.map { RadioError(.disconnected, at: place, $0.reason, remedy: $0.remedy) })
        ended.finish()
    }

    /// Waits and reads until nothing more can come, and returns why; nil if it was stopped.
    private func serve(_ buffer: UnsafeMutableRawBufferPointer) -> Loss? {
        var watched = [
            pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake?.number ?? -1, events: Int16(POLLIN), revents: 0),
            // A negative descriptor is ignored. poll(2).
            pollfd(fd: notices?.socket.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        var rhythm = Rhythm()
        var doubt: Doubt?
        while true {
            isPausing.store(rhythm.pauseEnd != nil, ordering: .sequentiallyConsistent)
            if isCommandSent.exchange(false, ordering: .sequentiallyConsistent) {
                rhythm.sent()
                isPausing.store(false, ordering: .sequentiallyConsistent)
            }
            watched[0].fd = rhythm.pauseEnd == nil ? socket.number : -1
            let next = [doubt?.end, rhythm.pauseEnd].compactMap(\.self).min()
            guard poll(&watched, 3, PollTimeout.milliseconds(until: next)) >= 0 || errno == EINTR else {
                return Loss(reason: LinuxAdapters.reason())
            }
            // Before the check, so that no stop is lost between the two.
            if watched[1].revents != 0 { wake?.reset() }
            guard !isStopping.isUp else { return nil }
            if let loss = readPackets(buffer, &rhythm) { return loss }
            if watched[2].revents != 0, let loss = readNotices(buffer, &doubt) { return loss }
            if let doubt, ContinuousClock.now >= doubt.end { return doubt.loss }
        }
    }

    private func readPackets(_ buffer: UnsafeMutableRawBufferPointer, _ rhythm: inout Rhythm) -> Loss? {
        var octets = 0
        var isStamped = true
        let loss = drain(socket, buffer) { packet, microseconds in
            octets += packet.byteCount
            isStamped = isStamped && microseconds > 0
            if CommandAnswer.isAnswer(packet: packet) {
                // The answer may have come before this thread knew of its command.
                if isCommandSent.exchange(false, ordering: .sequentiallyConsistent) { rhythm.sent() }
                rhythm.answered()
            }
            receiver.receive(
                packet, at: microseconds > 0 ? Timestamp(microseconds: microseconds) : WallClock.now)
            return nil
        }
        rhythm.read(octets, isStamped: isStamped)
        return loss
    }

    private func readNotices(_ buffer: UnsafeMutableRawBufferPointer, _ doubt: inout Doubt?) -> Loss? {
        guard let notices else { return nil }
        return drain(notices.socket, buffer) { packet, _ in
            switch notices.judge(packet) {
            case .over(let loss): return loss
            case .doubtful(let loss): doubt = Doubt(loss: loss, end: .now + Self.doubtLimit)
            case .well: doubt = nil
            case nil: break
            }
            return nil
        }
    }

    private struct Doubt {
        var loss: Loss
        /// When it counts as ended, unless it works again before.
        var end: ContinuousClock.Instant
    }

    /// When the thread reads the waiting packets.
    private struct Rhythm {
        private let began = ContinuousClock.now
        private var pace = ReadingPace(now: 0)
        /// Nil if every packet is read at once.
        private(set) var pauseEnd: ContinuousClock.Instant?

        mutating func sent() {
            pace.sent()
            pauseEnd = nil
        }

        mutating func answered() {
            pace.answered()
        }

        /// - Parameter isStamped: whether packets have the kernel's time stamps. Only with them may packets wait.
        mutating func read(_ octets: Int, isStamped: Bool) {
            let now = ContinuousClock.now
            guard octets > 0 else {
                if let end = pauseEnd, now >= end { pauseEnd = nil }
                return
            }
            let pause = pace.read(octets, at: (now - began) / .seconds(1))
            pauseEnd = pause > 0 && isStamped ? now + .seconds(pause) : nil
        }
    }

    /// Reads until nothing is left, or until it is stopped. Returns why nothing more can come, or nil.
    private func drain(
        _ socket: OwnedDescriptor, _ buffer: UnsafeMutableRawBufferPointer, _ take: (RawSpan, Int64) -> Loss?
    ) -> Loss? {
        while !isStopping.isUp {
            var microseconds: Int64 = 0
            let count = cbluez_receive(socket.number, buffer.baseAddress, buffer.count, &microseconds)
            if count > 0 {
                let packet = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes
                if let loss = take(packet, microseconds) { return loss }
            } else if count == 0 || errno == EPIPE || errno == ENODEV {
                return .gone
            } else if errno == EAGAIN {
                return nil
            } else if errno != EINTR {
                return Loss(reason: LinuxAdapters.reason())
            }
        }
        return nil
    }
}
