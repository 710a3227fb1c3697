import Beacon
import CBluez
import Glibc
import HCI
import Platform
import Synchronization

/// A thread that reads packets from an HCI socket and hands them on. Packet sockets keep packet boundaries, and events
/// are decoded here, so that neither the cooperative threads nor an event loop ever wait for the kernel.
final class DescriptorReader: Sendable {
    private let socket: OwnedDescriptor
    private let notices: Notices?
    private let wake: WakeDescriptor?
    private let place: String
    private let receiver: any PacketReceiver
    private let isStopping = OneWayFlag()
    /// A command was sent, and the thread does not know it yet.
    private let isCommandSent = Atomic(false)
    private let isPausing = Atomic(false)
    /// Ends with the thread.
    private let (ends, ended) = AsyncStream<Never>.makeStream()

    /// A second socket, whose packets say when nothing more can come by the first.
    struct Notices: Sendable {
        var socket: OwnedDescriptor
        /// Nil for what says nothing about the first.
        var judge: @Sendable (RawSpan) -> Verdict?

        enum Verdict {
            case over(String)
            /// It is over, unless it is well again soon: `hciconfig reset` takes an adapter down and up.
            case doubtful(String)
            case well
        }
    }

    /// How long what is doubtful may stay so.
    private static let timeOut = Duration.seconds(2)

    init(_ socket: OwnedDescriptor, notices: Notices? = nil, place: String, receiver: any PacketReceiver) {
        self.socket = socket
        self.notices = notices
        self.place = place
        self.receiver = receiver
        wake = try? WakeDescriptor()
    }

    func start() throws(RadioError) {
        // Without it, it could not be stopped.
        guard wake != nil else { throw RadioError(.cannotOpen, at: place, "no more descriptors for this process") }
        do {
            try OwnThread.start { self.run() }
        } catch {
            throw RadioError(.cannotOpen, at: place, error.description)
        }
    }

    /// Has the thread end soon.
    func stop() {
        isStopping.raise()
        wake?.wake()
    }

    /// Has the thread end, and suspends until it has: nothing is delivered afterwards. Only for one that was started.
    func stopAndWait() async {
        stop()
        // Not a child task: who was cancelled waits, too.
        await Task { for await _ in ends {} }.value
    }

    /// A command is about to be sent: its answer is read as soon as it comes.
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

    /// Waits and reads until it is stopped (nil), or until nothing more can come. Returns why.
    private func serve(_ buffer: UnsafeMutableRawBufferPointer) -> String? {
        var watched = [
            pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake?.number ?? -1, events: Int16(POLLIN), revents: 0),
            // A negative one is passed over. poll(2).
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
            // Before the question, so that no stop is lost between the two.
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
                // It may have come before this thread knew of its command.
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
        /// When it is over, unless it is well again before.
        var end: ContinuousClock.Instant
    }

    /// When the thread reads the packets that wait.
    private struct Rhythm {
        private let began = ContinuousClock.now
        private var pace = ReadingPace(now: 0)
        /// Nil where whatever comes is read at once.
        private(set) var pauseEnd: ContinuousClock.Instant?

        mutating func sent() {
            pace.sent()
            pauseEnd = nil
        }

        mutating func answered() {
            pace.answered()
        }

        /// - Parameter isStamped: only the kernel's time stamps say when packets came that have waited.
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

    /// Reads until nothing is left, or until it is stopped. Returns why no more can come, or nil.
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
