package import Platform
import Synchronization

/// A connection to a broker, on a separate thread because looking up a name may block for long.
package final class BrokerConnection: Sendable {
    private struct End {
        var hasCome = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// Wakes the thread, which then checks whether there is something to send, or room to read.
    let wake: WakeDescriptor
    private let isToClose = Atomic(false)
    private let end = Mutex(End())

    private let longestCrowd: Duration

    /// - Parameter longestCrowd: for how long the user may have no room until the connection ends. It must be shorter
    ///   than the keep-alive interval.
    package init(wake: WakeDescriptor, longestCrowd: Duration = .seconds(20)) {
        self.wake = wake
        self.longestCrowd = longestCrowd
    }

    var isClosing: Bool { isToClose.load(ordering: .sequentiallyConsistent) }

    /// - Parameter user: makes the user of the connection, on its thread.
    package func start(_ user: @escaping @Sendable () -> any BrokerUser) throws(OwnThread.Failure) {
        try OwnThread.start {
            BrokerLoop(self, user(), longestCrowd: self.longestCrowd).run()
            self.finish()
        }
    }

    /// Lets the user send its last messages, and disconnects. Returns when that is done, or after `limit`. A thread
    /// that still waits for a name lookup then ends by itself, without connecting.
    package func close(within limit: Duration) async {
        isToClose.store(true, ordering: .sequentiallyConsistent)
        wake.wake()
        let timer = Deadline(after: limit) { self.finish() }
        await withCheckedContinuation { continuation in
            let isOver = end.withLock { end in
                if !end.hasCome { end.waiting = continuation }
                return end.hasCome
            }
            if isOver { continuation.resume() }
        }
        timer.cancel()
    }

    private func finish() {
        let waiting = end.withLock { end in
            defer { end.waiting = nil }
            end.hasCome = true
            return end.waiting
        }
        waiting?.resume()
    }
}
