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
    private let isStopping = Atomic(false)
    /// A command was sent, and the thread does not know it yet.
    private let isCommandSent = Atomic(false)
    private let isPausing = Atomic(false)

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

    func stop() {
        isStopping.store(true, ordering: .releasing)
        wake?.wake()
    }

    /// A command is about to be sent: its answer is read as soon as it comes.
    func expectAnswer() {
        isCommandSent.store(true, ordering: .sequentiallyConsistent)
        if isPausing.load(ordering: .sequentiallyConsistent) { wake?.wake() }
    }

    private func run() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
        defer { buffer.deallocate() }
        var watched = [
            pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake?.number ?? -1, events: Int16(POLLIN), revents: 0),
            // A negative one is passed over. poll(2).
            pollfd(fd: notices?.socket.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        var doubt: (problem: String, until: ContinuousClock.Instant)?
        let began = ContinuousClock.now
        var pace = ReadingPace(now: 0)
        var pauseEnd: ContinuousClock.Instant?
        while true {
            isPausing.store(pauseEnd != nil, ordering: .sequentiallyConsistent)
            if isCommandSent.exchange(false, ordering: .sequentiallyConsistent) {
                pace.sent()
                pauseEnd = nil
                isPausing.store(false, ordering: .sequentiallyConsistent)
            }
            watched[0].fd = pauseEnd == nil ? socket.number : -1
            let limit = Self.milliseconds(until: [doubt?.until, pauseEnd].compactMap(\.self).min())
            guard poll(&watched, 3, limit) >= 0 || errno == EINTR else { return end(LinuxAdapters.reason()) }
            // Before the question, so that no stop is lost between the two.
            if watched[1].revents != 0 { wake?.reset() }
            guard !isStopping.load(ordering: .acquiring) else { return receiver.transportDidClose(nil) }
            var octets = 0
            var isStamped = true
            let problem = drain(socket, buffer) { packet, microseconds in
                octets += packet.byteCount
                isStamped = isStamped && microseconds > 0
                if CommandAnswer.isAnswer(packet: packet) {
                    // It may have come before this thread knew of its command.
                    if isCommandSent.exchange(false, ordering: .sequentiallyConsistent) { pace.sent() }
                    pace.answered()
                }
                let time = microseconds > 0 ? Timestamp(microseconds: microseconds) : WallClock.now
                receiver.receive(packet, at: time)
                return nil
            }
            if let problem { return end(problem) }
            // Only the kernel's time stamps say when packets came that have waited.
            if octets > 0 {
                let now = ContinuousClock.now
                let pause = pace.read(octets, at: (now - began) / .seconds(1))
                pauseEnd = pause > 0 && isStamped ? now + .seconds(pause) : nil
            } else if let end = pauseEnd, ContinuousClock.now >= end {
                pauseEnd = nil
            }
            if let notices, watched[2].revents != 0 {
                let problem = drain(notices.socket, buffer) { packet, _ in
                    switch notices.judge(packet) {
                    case .over(let problem): return problem
                    case .doubtful(let problem): doubt = (problem, .now + Self.timeOut)
                    case .well: doubt = nil
                    case nil: break
                    }
                    return nil
                }
                if let problem { return end(problem) }
            }
            if let doubt, ContinuousClock.now >= doubt.until { return end(doubt.problem) }
        }
    }

    /// For poll(2): at least so many, and forever where there is no end.
    private static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
        guard let end else { return -1 }
        return Int32(max(.zero, ContinuousClock.now.duration(to: end)) / .milliseconds(1)) + 1
    }

    /// Reads until nothing is left. Returns why no more can come, or nil.
    private func drain(
        _ socket: OwnedDescriptor, _ buffer: UnsafeMutableRawBufferPointer, _ take: (RawSpan, Int64) -> String?
    ) -> String? {
        while true {
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
    }

    private func end(_ problem: String) {
        receiver.transportDidClose(
            RadioError(.disconnected, at: place, problem, remedy: "it was removed, reset or taken down"))
    }
}
