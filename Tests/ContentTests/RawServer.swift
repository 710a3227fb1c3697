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

    let port: UInt16
    private let listener: Int32
    private let counts = Mutex<[String: Int]>([:])
    private let open = Mutex<Set<Int32>>([])

    var baseURL: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - requests: gets the head of every request.
    ///   - script: what to do for a path, and how often it was asked for before.
    init(
        requests: @escaping @Sendable (String) -> Void = { _ in },
        _ script: @escaping @Sendable (_ path: String, _ count: Int) -> [Step]
    ) throws {
        var bound: (UInt16, Int32)?
        for _ in 0..<5 where bound == nil {
            let port = try freePort()
            if let listener = Self.listen(port) { bound = (port, listener) }
        }
        guard let (port, listener) = bound else { throw POSIXError(.EADDRINUSE) }
        self.port = port
        self.listener = listener
        // Weak: the thread must not keep alive what ends it.
        Thread.detachNewThread { [weak self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                guard let server = self else { return }
                Thread.detachNewThread { server.serve(connection, requests, script) }
            }
            close(listener)
        }
    }

    deinit { stop() }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in open.withLock({ $0 }) { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    func count(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }

    private static func listen(_ port: UInt16) -> Int32? {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isBound = withLoopbackAddress(port: port) { bind(listener, $0, $1) } == 0
        guard isBound, Glibc.listen(listener, 64) == 0 else {
            close(listener)
            return nil
        }
        return listener
    }

    /// One request a connection: what comes after a broken answer means nothing.
    private func serve(
        _ connection: Int32, _ requests: (String) -> Void, _ script: (String, Int) -> [Step]
    ) {
        open.withLock { _ = $0.insert(connection) }
        defer {
            open.withLock { _ = $0.remove(connection) }
            close(connection)
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
