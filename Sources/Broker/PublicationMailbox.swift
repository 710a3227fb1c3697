import DequeModule
import Synchronization

/// Messages that matter only now. They are sent while there is a connection, and dropped otherwise.
///
/// It outlives connections, and the part that makes them.
package final class PublicationMailbox: Sendable {
    private struct State {
        var waiting: Deque<Publication> = []
        var isConnected = false
        /// Counts connections: an old one that ends late does not end the new one.
        var connection = 0
        var wake: @Sendable () -> Void = {}
    }

    /// The maximum number of waiting messages. If the connection is slow, the oldest one is dropped.
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

    /// Registers a connection, which is woken when there is something to send.
    ///
    /// - Returns: the number of the connection.
    package func connect(waking wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.wake = wake
            state.isConnected = true
            state.connection += 1
            return state.connection
        }
    }

    /// Notes the end of a connection. Has no effect if another one has begun since then.
    package func disconnect(_ connection: Int) {
        state.withLock { state in
            guard connection == state.connection else { return }
            state.isConnected = false
            state.waiting = []
            state.wake = {}
        }
    }

    /// The next message to send; nil for none.
    package func next() -> Publication? {
        state.withLock { $0.waiting.popFirst() }
    }
}
