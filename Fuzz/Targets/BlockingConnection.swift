import Glibc
import TestSupport

/// A client of a server whose calls block the thread, because libFuzzer's callback cannot wait for a task.
final class BlockingConnection {
    private let descriptor: Int32

    convenience init(unix path: String) throws(BrokenInvariant) {
        try self.init(AF_UNIX) { descriptor in withUnixAddress(path: path) { connect(descriptor, $0, $1) } }
    }

    /// To the loopback address.
    convenience init(port: UInt16) throws(BrokenInvariant) {
        try self.init(AF_INET) { descriptor in withLoopbackAddress(port: port) { connect(descriptor, $0, $1) } }
        // Otherwise each closed connection would keep a port for a minute, and there are more inputs than ports.
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
    }

    /// - Parameter connecting: connects the socket, and returns what connect(2) does.
    private init(_ family: Int32, connecting: (Int32) -> Int32) throws(BrokenInvariant) {
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let result = connecting(descriptor)
        // A signal, as libFuzzer's clock sends them, does not end the attempt (POSIX, connect).
        let error = result == 0 ? 0 : errno == EINTR ? Self.outcome(of: descriptor) : errno
        try require(error == 0, "the server takes no connection: \(String(cString: strerror(error)))")
        // Longer than a busy machine needs for an answer.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    /// Waits for the end of an attempt to connect.
    ///
    /// - Returns: its errno, or 0.
    private static func outcome(of descriptor: Int32) -> Int32 {
        var attempt = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&attempt, 1, 5000) < 0, errno == EINTR {}
        guard attempt.revents != 0 else { return ETIMEDOUT }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        return error
    }

    /// Sends what the server takes, and that nothing follows.
    func send(_ octets: [UInt8]) {
        // A server that refuses the first octets may close before the rest, so a failure says nothing.
        _ = Glibc.send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL))
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The head of what comes, or nothing if the server closes without an answer. The head is enough: a stream of
    /// events never ends.
    ///
    /// - Throws: if the server neither answers nor closes.
    func receive() throws(BrokenInvariant) -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while received.count <= 12 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            try require(count >= 0 || errno != EAGAIN, "the server neither answers nor closes the connection")
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return received
    }
}
