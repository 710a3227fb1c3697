import Beacon
import Foundation
import Platform
import Radio
import Synchronization
import TestSupport
import Testing

/// Takes any packet, and does nothing with it.
private final class Sink: Transport {
    let sharing = ControllerSharing.exclusive
    private let taken = Mutex(false)

    /// Whether a packet has come.
    var hasPacket: Bool { taken.withLock { $0 } }

    func open(delivering receiver: any PacketReceiver) async throws(RadioError) {}

    func send(_ packet: [UInt8]) async throws(RadioError) { taken.withLock { $0 = true } }

    func close() async {}
}

/// Hands out what takes received packets.
private final class Source: Transport {
    let sharing = ControllerSharing.exclusive
    private let taken = Mutex<(any PacketReceiver)?>(nil)

    var receiver: (any PacketReceiver)? { taken.withLock { $0 } }

    func open(delivering receiver: any PacketReceiver) async throws(RadioError) { taken.withLock { $0 = receiver } }

    func send(_ packet: [UInt8]) async throws(RadioError) {}

    func close() async {}
}

private final class Counter: PacketReceiver {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func receive(_ packet: RawSpan, at time: Timestamp) { number.withLock { $0 += 1 } }

    func transportDidClose(_ error: RadioError?) {}
}

@Suite("A recorded connection", .timeLimit(.minutes(10)))
struct RecordingTransportTests {
    @Test("keeps a command waiting for a slow disk, but not the thread of its sender")
    func slowDisk() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let end = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(end >= 0)
        defer { close(end) }
        let controller = Sink()
        let transport = RecordingTransport(controller, recorder: try PacketRecorder(path: path))
        let thread = try ThreadExecutor()
        // More than a pipe holds. pipe(7).
        let packet: [UInt8] = [1, 3, 0x0C, 0] + [UInt8](repeating: 0, count: 2_000_000)
        let sending = Task(executorPreference: thread) { try await transport.send(packet) }
        try await waitUntil("the recorder writes") {
            var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) == 1
        }
        // This would not run while the thread is blocked.
        let hasRun = Mutex(false)
        let next = Task(executorPreference: thread) { hasRun.withLock { $0 = true } }
        try await waitUntil("the thread does something else") { hasRun.withLock { $0 } }
        await next.value
        #expect(!controller.hasPacket)
        try await waitUntil("the command is sent") {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while read(end, &buffer, buffer.count) > 0 {}
            return controller.hasPacket
        }
        try await sending.value
        withExtendedLifetime(folder) {}
    }

    private static func available(_ end: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(end, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    @Test("passes received packets on while the disk does not write, and says how many the recording lacks")
    func receivedBesideSlowDisk() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let end = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(end >= 0)
        defer { close(end) }
        let (source, counter) = (Source(), Counter())
        let recorder = try PacketRecorder(path: path)
        try await RecordingTransport(source, recorder: recorder).open(delivering: counter)
        let receiver = try #require(source.receiver)
        // Much more than a pipe and the recorder hold. Nobody reads, so a write would not return.
        let packet = [UInt8](repeating: 4, count: 60_000)
        for _ in 0..<60 { receiver.receive(packet.span.bytes, at: Timestamp(seconds: 1)) }
        #expect(counter.count == 60)
        let output = Mutex<[UInt8]>([])
        let last: [UInt8] = [4, 0x0E, 1, 77]
        try await waitUntil("there is room again, and the last packet is written") {
            let isThere = output.withLock { bytes in
                bytes += Self.available(end)
                return bytes.suffix(last.count) == last[...]
            }
            // It is written at once, because a second has passed.
            if !isThere { receiver.receive(last.span.bytes, at: Timestamp(seconds: Double(counter.count))) }
            return isThere
        }
        // Nothing is written after the pipe's end is closed.
        try recorder.finish()
        let recorded = output.withLock { $0 } + Self.available(end)
        // The number of lost packets is the fourth field of a record.
        let start = recorded.count - last.count - 12
        let drops = recorded[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
        let whole = recorded.count / packet.count
        #expect(drops > 0 && drops + whole == 60)
        withExtendedLifetime(folder) {}
    }

    @Test("reports a full disk at once, and once")
    func fullDisk() async throws {
        let source = Source()
        let recorder = try PacketRecorder(path: "/dev/full")
        try await RecordingTransport(source, recorder: recorder).open(delivering: Counter())
        let receiver = try #require(source.receiver)
        let failures = Mutex<[String]>([])
        recorder.whenFailed { error in failures.withLock { $0.append("\(error)") } }
        let packet: [UInt8] = [4, 0x0E, 1, 0]
        receiver.receive(packet.span.bytes, at: Timestamp(seconds: 1))
        try await waitUntil("the failure is told") { failures.withLock { !$0.isEmpty } }
        receiver.receive(packet.span.bytes, at: Timestamp(seconds: 9))
        #expect(recorder.waitingBytes == 0, "what nobody will write is not kept")
        #expect(throws: (any Error).self) { try recorder.finish() }
        let told = failures.withLock { $0 }
        #expect(told.count == 1 && told[0].contains("/dev/full"), "\(told)")
    }
}
