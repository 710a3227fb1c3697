import DequeModule
import Synchronization

/// Messages that matter only now: sent while there is a connection, and dropped otherwise.
///
/// It outlives connections, and the part that has them.
package final class PublicationMailbox: Sendable {
    private struct State {
        var waiting: Deque<Publication> = []
        var isConnected = false
        /// Counts connections: an old one that ends late does not end the new one.
        var connection = 0
        var wake: @Sendable () -> Void = {}
    }

    /// Messages that wait at most: where the connection is slow, the oldest is dropped.
    package static let capacity = 8

    private let state = Mutex(State())

    package init() {}

    package func put(_ publication: Publication) {
        let wake: (@Sendable () -> Void)? = state.withLock { state in
            guard state.isConnected else { return nil }
            if state.waiting.count == Self.capacity { state.waiting.removeFirst() }
            state.waiting.append(publication)
            return state.wake
        }
        wake?()
    }

    /// From now on this connection is woken where there is something to send.
    ///
    /// - Returns: its number.
    package func connect(waking wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.wake = wake
            state.isConnected = true
            state.connection += 1
            return state.connection
        }
    }

    /// A connection ends. Nothing happens if another one has begun since.
    package func disconnect(_ connection: Int) {
        state.withLock { state in
            guard connection == state.connection else { return }
            state.isConnected = false
            state.waiting = []
            state.wake = {}
        }
    }

    /// What to send now; nil for nothing.
    package func next() -> Publication? {
        state.withLock { $0.waiting.popFirst() }
    }
}
