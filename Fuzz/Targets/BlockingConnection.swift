import Glibc

/// A client on a Unix socket whose calls block the thread, because libFuzzer's callback cannot wait for a task.
final class BlockingConnection {
    private let descriptor: Int32

    init(unix path: String) throws(BrokenInvariant) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try require(result == 0, "the server takes no connection: \(String(cString: strerror(errno)))")
        var limit = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends what the socket takes, and that nothing follows.
    func send(_ octets: [UInt8]) {
        _ = Glibc.send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL))
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// What comes until the server is silent or closes.
    func receive() -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return received }
            received += buffer[..<count]
            // The head is enough: a stream of events never ends.
            if received.count > 12 { return received }
        }
    }
}
