import Beacon
import CBluez
import Glibc
import Synchronization

/// A thread that reads packets from an HCI socket and hands them on. Packet sockets keep packet boundaries, and events
/// are decoded here, so that neither the cooperative threads nor an event loop ever wait for the kernel.
///
/// Owns the descriptor and closes it when the thread ends.
final class DescriptorReader: Sendable {
    private let descriptor: Int32
    private let wake: Int32
    private let place: String
    private let receiver: any PacketReceiver
    private let isStopping = Atomic(false)

    init(descriptor: Int32, place: String, receiver: any PacketReceiver) {
        self.descriptor = descriptor
        self.place = place
        self.receiver = receiver
        wake = cbluez_wake_descriptor()
    }

    deinit {
        Glibc.close(wake)
    }

    func start() throws(RadioError) {
        do {
            try OwnThread.start { self.run() }
        } catch {
            throw RadioError(.cannotOpen, at: place, error.description)
        }
    }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    private func run() {
        defer { Glibc.close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
        defer { buffer.deallocate() }
        var watched = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&watched, 2, -1) >= 0 || errno == EINTR else { return end(LinuxAdapters.reason()) }
            guard !isStopping.load(ordering: .acquiring) else { return receiver.transportDidClose(nil) }
            if let problem = drain(buffer) { return end(problem) }
        }
    }

    /// Reads until nothing is left. Returns why no more can come, or nil.
    private func drain(_ buffer: UnsafeMutableRawBufferPointer) -> String? {
        while true {
            var microseconds: Int64 = 0
            let count = cbluez_receive(descriptor, buffer.baseAddress, buffer.count, &microseconds)
            if count > 0 {
                let time = microseconds > 0 ? Timestamp(microseconds: microseconds) : WallClock.now
                receiver.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes, at: time)
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
