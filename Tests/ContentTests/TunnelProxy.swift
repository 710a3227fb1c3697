import Foundation
import Synchronization
import TestSupport

/// An HTTP proxy that opens tunnels to 127.0.0.1 (RFC 9110, 9.3.6), and keeps what it was asked.
final class TunnelProxy: Sendable {
    private let listener: LoopbackListener
    private let asked: Asked

    var port: UInt16 { listener.port }
    var baseURL: String { "http://user:secret@127.0.0.1:\(port)" }
    /// The heads of all requests.
    var requests: [String] { asked.heads.withLock { $0 } }

    init() throws {
        let asked = Asked()
        self.asked = asked
        listener = try LoopbackListener { Self.serve($0, asked) }
    }

    private final class Asked: Sendable {
        let heads = Mutex<[String]>([])
    }

    private static func serve(_ client: Int32, _ asked: Asked) {
        var head: [UInt8] = []
        var octet: UInt8 = 0
        // One at a time: what follows the head is the tunnel's.
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(client, &octet, 1, 0) == 1 else { return }
            head.append(octet)
        }
        let text = String(decoding: head, as: UTF8.self)
        asked.heads.withLock { $0.append(text) }
        let target = text.split(separator: " ").dropFirst().first?.split(separator: ":").last.flatMap { UInt16($0) }
        let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isOpen = target.map { port in withLoopbackAddress(port: port) { connect(upstream, $0, $1) } == 0 } ?? false
        let answer = Array((isOpen ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 502 Bad Gateway\r\n\r\n").utf8)
        send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
        Thread.detachNewThread { PacedRelay.copy(client, upstream) { _ in } }
        PacedRelay.copy(upstream, client) { _ in }
    }
}
