import Foundation
import Synchronization
import TestSupport

/// An HTTP proxy that opens tunnels to 127.0.0.1 (RFC 9110, 9.3.6), and keeps what it was asked.
final class TunnelProxy: Sendable {
    let port: UInt16
    private let listener: Int32
    private let heads = Mutex<[String]>([])

    var baseURL: String { "http://user:secret@127.0.0.1:\(port)" }
    /// The heads of all requests.
    var requests: [String] { heads.withLock { $0 } }

    init() throws {
        port = try freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isBound = withLoopbackAddress(port: port) { bind(listener, $0, $1) } == 0
        guard isBound, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
        Thread.detachNewThread { [weak self, listener] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                guard let proxy = self else { break }
                Thread.detachNewThread { proxy.serve(client) }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ client: Int32) {
        var head: [UInt8] = []
        var octet: UInt8 = 0
        // One at a time: what follows the head is the tunnel's.
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(client, &octet, 1, 0) == 1 else { return }
            head.append(octet)
        }
        let text = String(decoding: head, as: UTF8.self)
        heads.withLock { $0.append(text) }
        let target = text.split(separator: " ").dropFirst().first?.split(separator: ":").last.flatMap { UInt16($0) }
        let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isOpen = target.map { port in withLoopbackAddress(port: port) { connect(upstream, $0, $1) } == 0 } ?? false
        let answer = Array((isOpen ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 502 Bad Gateway\r\n\r\n").utf8)
        send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
        Thread.detachNewThread { PacedRelay.copy(client, upstream) { _ in } }
        PacedRelay.copy(upstream, client) { _ in }
    }
}
