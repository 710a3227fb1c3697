import HummingbirdCore
import NIOCore
import Synchronization

/// The connections that were accepted and are not yet closed.
///
/// Releasing a connection while its channel is open ends the program (NIOAsyncWriter). A server that is ending may
/// never handle the last accepted connection.
final class AcceptedConnections: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: HTTP1Channel.Value] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    func add(_ connection: HTTP1Channel.Value) {
        let id = ObjectIdentifier(connection.channel)
        let isLate = state.withLock { state in
            state.connections[id] = connection
            return state.isOver
        }
        connection.channel.closeFuture.whenComplete { _ in
            // Released outside the lock.
            let closed = self.state.withLock { $0.connections.removeValue(forKey: id) }
            withExtendedLifetime(closed) {}
        }
        if isLate { connection.channel.close(promise: nil) }
    }

    /// Closes all connections, and each later one when it is added.
    func close() {
        let open = state.withLock { state in
            state.isOver = true
            return Array(state.connections.values)
        }
        for connection in open { connection.channel.close(promise: nil) }
    }
}
