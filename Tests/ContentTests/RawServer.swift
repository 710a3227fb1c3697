import Foundation
import Synchronization
import TestSupport

/// A server that misbehaves as no real one can be told to: it plays a script for every request.
final class RawServer: Sendable {
    enum Step: Sendable {
        case send([UInt8])
        /// Ends the connection in the middle with a reset instead of an end.
        case reset
        /// Says nothing more, and keeps the connection.
        case stall
        /// Sends an octet every 50 ms, until nobody listens any more.
        case trickle
    }

    private let listener: LoopbackListener
    private let play: Play

    var port: UInt16 { listener.port }
    var baseURL: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - requests: gets the head of every request.
    ///   - script: what to do for a path, and how often it was asked for before.
    init(
        requests: @escaping @Sendable (String) -> Void = { _ in },
        _ script: @escaping @Sendable (_ path: String, _ count: Int) -> [Step]
    ) throws {
        let play = Play(requests, script)
        self.play = play
        // Not this server itself: the thread that accepts would keep alive what ends it.
        listener = try LoopbackListener { play.serve($0) }
    }

    deinit { stop() }

    func stop() {
        listener.stop()
        play.stop()
    }

    func count(_ path: String) -> Int { play.count(path) }
}

/// What is played to all connections of a server.
private final class Play: Sendable {
    private let requests: @Sendable (String) -> Void
    private let script: @Sendable (_ path: String, _ count: Int) -> [RawServer.Step]
    private let counts = Mutex<[String: Int]>([:])
    /// Those that are open, by their descriptors.
    private let connections = Mutex<[Int32: SharedSocket]>([:])

    init(
        _ requests: @escaping @Sendable (String) -> Void,
        _ script: @escaping @Sendable (_ path: String, _ count: Int) -> [RawServer.Step]
    ) {
        self.requests = requests
        self.script = script
    }

    func count(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }

    func stop() {
        for connection in connections.withLock({ Array($0.values) }) { connection.shutDown() }
    }

    /// One request a connection: what comes after a broken answer means nothing.
    func serve(_ connection: Int32) {
        let shared = SharedSocket(connection)
        connections.withLock { $0[connection] = shared }
        defer {
            connections.withLock { _ = $0.removeValue(forKey: connection) }
            shared.close()
        }
        var request: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            request += chunk[..<count]
        }
        requests(String(decoding: request, as: UTF8.self))
        let words = String(decoding: request, as: UTF8.self).split(separator: " ")
        let path = words.count > 1 ? String(words[1]) : ""
        let count = counts.withLock { counts in
            counts[path, default: 0] += 1
            return (counts[path] ?? 1) - 1
        }
        for step in script(path, count) {
            switch step {
            case .send(let bytes):
                var rest = bytes[...]
                while !rest.isEmpty {
                    let sent = rest.withUnsafeBytes {
                        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard sent > 0 else { return }
                    rest = rest.dropFirst(sent)
                }
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
                return
            case .trickle:
                while send(connection, "x", 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(50_000) }
            case .stall:
                while recv(connection, &chunk, chunk.count, 0) > 0 {}
            }
        }
    }
}

extension RawServer.Step {
    /// A whole answer, or one that lies about its length.
    static func answer(
        _ status: String, _ body: [UInt8] = [], length: Int? = nil, fields: String = ""
    ) -> RawServer.Step {
        let head = "HTTP/1.1 \(status)\r\nContent-Length: \(length ?? body.count)\r\nConnection: close\r\n\(fields)\r\n"
        return .send(Array(head.utf8) + body)
    }

    static var notFound: RawServer.Step { .answer("404 Not Found") }

    /// An answer whose end is only the connection's.
    static func unbounded(_ body: [UInt8]) -> RawServer.Step {
        .send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + body)
    }
}
