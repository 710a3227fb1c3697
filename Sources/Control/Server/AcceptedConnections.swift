import HummingbirdCore
import NIOCore
import Synchronization

/// The connections that were accepted and are not closed.
///
/// One that is let go of while its channel is open ends the program (NIOAsyncWriter), and a server that ends may never get
/// to look after the last that came.
final class AcceptedConnections: Sendable {
    private let connections = Mutex<[ObjectIdentifier: HTTP1Channel.Value]>([:])

    func add(_ connection: HTTP1Channel.Value) {
        let id = ObjectIdentifier(connection.channel)
        connections.withLock { $0[id] = connection }
        connection.channel.closeFuture.whenComplete { _ in
            // Let go of outside the lock.
            let closed = self.connections.withLock { $0.removeValue(forKey: id) }
            withExtendedLifetime(closed) {}
        }
    }

    func close() {
        for connection in connections.withLock({ Array($0.values) }) { connection.channel.close(promise: nil) }
    }
}
