import Foundation
import Synchronization

/// Accepts connections at a port of 127.0.0.1, on a thread of its own, until it is stopped or nobody holds it any more.
package final class LoopbackListener: Sendable {
    package let port: UInt16
    private let listener: SharedSocket

    /// - Parameter accepted: receives each connection, on a thread of that connection's own. It closes the connection.
    /// - Throws: if no port can be listened on.
    package init(_ accepted: @escaping @Sendable (_ connection: Int32) -> Void) throws {
        let port = try freePort()
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isBound = withLoopbackAddress(port: port) { bind(descriptor, $0, $1) } == 0
        guard isBound, listen(descriptor, 64) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw RunningProgram.Failure(description: "no port: \(reason)")
        }
        self.port = port
        let listener = SharedSocket(descriptor)
        self.listener = listener
        Thread.detachNewThread {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { accepted(connection) }
            }
            listener.close()
        }
    }

    deinit { stop() }

    /// Accepts no more connections. May be called more than once.
    package func stop() { listener.shutDown() }
}

/// A socket of several threads. Once it is closed, nobody touches its number again: it may be another test's socket.
package final class SharedSocket: Sendable {
    private let number: Mutex<Int32?>

    package init(_ number: Int32) {
        self.number = Mutex(number)
    }

    /// Ends both directions, also for a thread that waits in a system call; does nothing once it is closed.
    package func shutDown() {
        number.withLock { if let number = $0 { shutdown(number, Int32(SHUT_RDWR)) } }
    }

    package func close() {
        number.withLock { number in
            if let number { Glibc.close(number) }
            number = nil
        }
    }
}
