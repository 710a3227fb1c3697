import Foundation
import Synchronization
import TestSupport

/// A relay before a server on 127.0.0.1 that lets answers through evenly, in small pieces, and counts them.
///
/// nginx's own `limit_rate` sends a second's worth at once and then pauses: whoever is killed in a pause has lost
/// nothing, which would prove nothing.
final class PacedRelay: Sendable {
    private let listener: LoopbackListener
    private let counter: Counter

    var port: UInt16 { listener.port }
    var baseURL: String { "http://127.0.0.1:\(port)" }
    /// Bytes that were handed to clients, with the heads of the answers.
    var sent: Int { counter.sum.withLock { $0 } }

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
        let counter = Counter()
        self.counter = counter
        listener = try LoopbackListener { client in
            let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard withLoopbackAddress(port: server, { connect(upstream, $0, $1) }) == 0 else {
                close(client)
                close(upstream)
                return
            }
            // A small buffer: what the client has not read yet would count as sent.
            var size: Int32 = 16384
            setsockopt(client, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            Thread.detachNewThread { Self.copy(client, upstream) { _ in } }
            Self.copy(upstream, client) { count in
                counter.sum.withLock { $0 += count }
                usleep(UInt32(count * 1_000_000 / rate))
            }
        }
    }

    private final class Counter: Sendable {
        let sum = Mutex<Int>(0)
    }

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
