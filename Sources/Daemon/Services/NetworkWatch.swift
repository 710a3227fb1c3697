import CLinux
import Dispatch
import Glibc

/// Tells when a way to other hosts may have come: an address, a route, a link that carries again. From the kernel's
/// route socket (rtnetlink(7)), without polling or privileges.
final class NetworkWatch {
    /// One element for whatever came since the last was taken. Never ends where the kernel tells nothing.
    let changes: AsyncStream<Void>
    private let source: (any DispatchSourceRead)?

    init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        changes = stream
        let descriptor = clinux_route_socket()
        guard descriptor >= 0 else {
            source = nil
            return
        }
        let queue = DispatchQueue(label: "beacond.network")
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let reader = Reader(descriptor: descriptor, continuation: continuation)
        source.setEventHandler { reader.read() }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        self.source = source
    }

    deinit {
        source?.cancel()
    }

    /// Used on the source's queue only, which is what makes it safe to be sent there.
    private final class Reader: @unchecked Sendable {
        private let descriptor: Int32
        private let continuation: AsyncStream<Void>.Continuation
        private var changes = NetworkChanges()
        private var buffer = [UInt8](repeating: 0, count: 65536)

        init(descriptor: Int32, continuation: AsyncStream<Void>.Continuation) {
            self.descriptor = descriptor
            self.continuation = continuation
        }

        func read() {
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count > 0 {
                    if changes.bringWay(buffer.span.bytes.extracting(0..<count)) { continuation.yield() }
                } else if count < 0, errno == ENOBUFS {
                    // Something was lost in the kernel: it may have been just that.
                    continuation.yield()
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
    }
}

/// What route messages say, as far as it can mean that other hosts are reached again. rtnetlink(7).
package struct NetworkChanges {
    /// Links that carry.
    private var carrying: Set<UInt32> = []

    package init() {}

    /// Whether one of the messages says that a way may have come. Numbers are in the host's order.
    package mutating func bringWay(_ messages: RawSpan) -> Bool {
        var found = false
        var offset = 0
        while offset + 16 <= messages.byteCount {
            let length = Int(messages.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
            guard length >= 16, length <= messages.byteCount - offset else { break }
            let type = messages.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 4, as: UInt16.self)
            if Int32(type) == RTM_NEWADDR || Int32(type) == RTM_NEWROUTE {
                found = true
            } else if Int32(type) == RTM_NEWLINK, length >= 32 {
                // struct ifinfomsg: the index and the flags are its second and third words.
                let index = messages.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 20, as: UInt32.self)
                let flags = messages.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 24, as: UInt32.self)
                // Wireless scans tell the same state again and again.
                if flags & UInt32(IFF_RUNNING) == 0 {
                    carrying.remove(index)
                } else if carrying.insert(index).inserted {
                    found = true
                }
            }
            offset += (length + 3) & ~3
        }
        return found
    }
}
