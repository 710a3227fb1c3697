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
            case over(String)
            /// It has ended, unless it soon works again: `hciconfig reset` takes an adapter down and up.
            case doubtful(String)
            case well
        }
    }

    /// How long a verdict may stay `doubtful`.
    private static let timeOut = Duration.seconds(2)

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
        let problem = serve(buffer)
        receiver.transportDidClose(
            problem.map {
                RadioError(.disconnected, at: place, $0, remedy: "it was removed, reset or taken down")
            })
        ended.finish()
    }

    /// Waits and reads until nothing more can come, and returns why; nil if it was stopped.
    private func serve(_ buffer: UnsafeMutableRawBufferPointer) -> String? {
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
                return LinuxAdapters.reason()
            }
            // Before the check, so that no stop is lost between the two.
            if watched[1].revents != 0 { wake?.reset() }
            guard !isStopping.isUp else { return nil }
            if let problem = readPackets(buffer, &rhythm) { return problem }
            if watched[2].revents != 0, let problem = readNotices(buffer, &doubt) { return problem }
            if let doubt, ContinuousClock.now >= doubt.end { return doubt.problem }
        }
    }

    private func readPackets(_ buffer: UnsafeMutableRawBufferPointer, _ rhythm: inout Rhythm) -> String? {
        var octets = 0
        var isStamped = true
        let problem = drain(socket, buffer) { packet, microseconds in
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
        return problem
    }

    private func readNotices(_ buffer: UnsafeMutableRawBufferPointer, _ doubt: inout Doubt?) -> String? {
        guard let notices else { return nil }
        return drain(notices.socket, buffer) { packet, _ in
            switch notices.judge(packet) {
            case .over(let problem): return problem
            case .doubtful(let problem): doubt = Doubt(problem: problem, end: .now + Self.timeOut)
            case .well: doubt = nil
            case nil: break
            }
            return nil
        }
    }

    private struct Doubt {
        var problem: String
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
        _ socket: OwnedDescriptor, _ buffer: UnsafeMutableRawBufferPointer, _ take: (RawSpan, Int64) -> String?
    ) -> String? {
        while !isStopping.isUp {
            var microseconds: Int64 = 0
            let count = cbluez_receive(socket.number, buffer.baseAddress, buffer.count, &microseconds)
            if count > 0 {
                let packet = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes
                if let problem = take(packet, microseconds) { return problem }
            } else if count == 0 || errno == EPIPE || errno == ENODEV {
                return "the adapter is gone"
            } else if errno == EAGAIN {
                return nil
            } else if errno != EINTR {
                return LinuxAdapters.reason()
            }
        }
        return nil
    }
}
