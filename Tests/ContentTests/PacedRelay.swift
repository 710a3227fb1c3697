import Foundation
import Synchronization
import TestSupport

/// A relay before a server on 127.0.0.1 that lets answers through evenly, in small pieces, and counts them.
///
/// nginx's own `limit_rate` sends a second's worth at once and then pauses: whoever is killed in a pause has lost
/// nothing, which would prove nothing.
final class PacedRelay: Sendable {
    let port: UInt16
    private let listener: Int32
    private let counter = Mutex<Int>(0)

    var baseURL: String { "http://127.0.0.1:\(port)" }
    /// Bytes that were handed to clients, with the heads of the answers.
    var sent: Int { counter.withLock { $0 } }

    /// Bytes that clients have not read from their sockets, by the kernel's table of connections (proc_net_tcp.txt).
    var unread: Int {
        guard let table = try? kernelText("/proc/net/tcp") else { return 0 }
        let peer = ":" + String(format: "%04X", port)
        return table.split(separator: "\n").reduce(0) { sum, line in
            // Number, own address, the peer's, state, and both queues.
            let fields = line.split(separator: " ")
            guard fields.count > 4, fields[2].hasSuffix(peer) else { return sum }
            return sum + (fields[4].split(separator: ":").last.flatMap { Int($0, radix: 16) } ?? 0)
        }
    }

    private static let piece = 16384

    /// - Parameters:
    ///   - server: the port of the server.
    ///   - rate: bytes a second for each connection.
    init(to server: UInt16, rate: Int) throws {
        port = try freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isBound = withLoopbackAddress(port: port) { bind(listener, $0, $1) } == 0
        guard isBound, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
        Thread.detachNewThread { [weak self, listener] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                let isConnected = withLoopbackAddress(port: server) { connect(upstream, $0, $1) } == 0
                guard let relay = self, isConnected else {
                    close(client)
                    close(upstream)
                    continue
                }
                // A small buffer: what the client has not read yet would count as sent.
                var size: Int32 = 16384
                setsockopt(client, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
                Thread.detachNewThread { Self.copy(client, upstream) { _ in } }
                Thread.detachNewThread {
                    Self.copy(upstream, client) { count in
                        relay.counter.withLock { $0 += count }
                        usleep(UInt32(count * 1_000_000 / rate))
                    }
                }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Copies until an end is closed. Descriptors are left to the end of the process: both directions use them.
    static func copy(_ from: Int32, _ to: Int32, _ passed: (Int) -> Void) {
        var chunk = [UInt8](repeating: 0, count: piece)
        while case let count = recv(from, &chunk, piece, 0), count > 0 {
            var offset = 0
            while offset < count {
                let sent = chunk[offset..<count].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { break }
                offset += sent
            }
            passed(offset)
            if offset < count { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
    }
}
