import Beacon
import Events
import Platform
import Settings
import Synchronization

/// The connection to the broker, on a separate thread because looking up a name may block for long.
final class BrokerConnection: Sendable {
    private struct End {
        var hasCome = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    let settings: MQTTSettings
    let queue: PublishQueue
    let hub: EventHub
    let version: String
    let isClosing = Atomic(false)
    private let end = Mutex(End())

    init(settings: MQTTSettings, queue: PublishQueue, hub: EventHub, version: String) {
        self.settings = settings
        self.queue = queue
        self.hub = hub
        self.version = version
    }

    func start() throws(OwnThread.Failure) {
        try OwnThread.start {
            BrokerSession(self).run()
            self.finish()
        }
    }

    /// Sends the remaining events and disconnects. Returns when that is done, or after `limit`: a thread that still
    /// waits for a name lookup then ends by itself, without connecting.
    func close(within limit: Duration) async {
        isClosing.store(true, ordering: .sequentiallyConsistent)
        queue.wake.wake()
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
