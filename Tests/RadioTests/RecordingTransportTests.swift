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
}
