import Dispatch
import Glibc

/// Reports that a descriptor of the kernel (inotify(7), rtnetlink(7)) has news, without polling.
final class DescriptorWatch {
    /// One element for all news since the last one was taken. Never ends if there is nothing to watch.
    let changes: AsyncStream<Void>
    private let source: (any DispatchSourceRead)?

    /// - Parameters:
    ///   - descriptor: nonblocking; closed with the watch. Negative if there is nothing to watch.
    ///   - read: reads what waits, and returns whether it is news. One call at a time.
    init(_ descriptor: Int32, label: String, read: @escaping @Sendable (Int32) -> Bool) {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        changes = stream
        guard descriptor >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "beacond.\(label)"))
        source.setEventHandler {
            if read(descriptor) { continuation.yield() }
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        self.source = source
    }

    deinit {
        source?.cancel()
    }
}
