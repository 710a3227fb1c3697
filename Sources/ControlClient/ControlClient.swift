import AsyncHTTPClient
package import Console
import Glibc
import NIOCore
import NIOHTTP1
import Platform
import Settings
import Text

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A client of the daemon on its Unix socket. A refusal is thrown as a failure with the daemon's text.
package struct ControlClient: Sendable {
    /// The socket's path.
    package let socket: String
    private let base: String
    private let pauseLimit: Duration
    private let largestAnswer: Int

    /// The maximum size of a document, or of a line of a stream, in bytes.
    package static let usualLargestAnswer = 256 << 20

    /// The time limit until a stream, or an answer that the daemon has ready, begins.
    package static let usualLimit = Duration.seconds(10)

    /// The same for an answer that the daemon must make first, perhaps after the answers of other clients: a report on
    /// months, or the list of a large store.
    package static let workLimit = Duration.seconds(120)

    /// The time between two pieces of a document. The daemon has the whole document before it begins to send it.
    package static let usualPauseLimit = Duration.seconds(60)

    /// The client itself has no time-out: each request has its own.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(10)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// - Parameters:
    ///   - socket: the path of the socket.
    ///   - pauseLimit: the longest time between two pieces of a document.
    ///   - largestAnswer: the maximum size of a document, or of a line of a stream, in bytes.
    package init(
        socket: String, pauseLimit: Duration = Self.usualPauseLimit, largestAnswer: Int = Self.usualLargestAnswer
    ) {
        self.socket = socket
        self.pauseLimit = pauseLimit
        self.largestAnswer = largestAnswer
        base = "http+unix://\(Self.escaped(socket))"
    }

    /// A client of the running daemon.
    ///
    /// - Parameters:
    ///   - chosen: the socket of `--socket`.
    ///   - purpose: why the daemon is needed, for the message if none runs: "that could be asked".
    /// - Throws: `CommandFailure` if none runs or the socket may not be used.
    package static func found(_ chosen: String?, for purpose: String) throws(CommandFailure) -> ControlClient {
        guard let path = try ControlSocket.find(chosen, Environment.variables) else {
            throw .noDaemon(purpose)
        }
        return ControlClient(socket: path)
    }

    /// The body of an answer.
    ///
    /// - Parameters:
    ///   - limit: the time until the answer begins.
    ///   - received: called with the number of bytes in each piece that arrives.
    package func get(
        _ path: String, within limit: Duration = Self.usualLimit, received: (Int) -> Void = { _ in }
    ) async throws -> [UInt8] {
        try await whole(.GET, path, within: limit, received)
    }

    /// The same, decoded as a document.
    package func get<Document: Decodable>(
        _ path: String, as type: Document.Type = Document.self, within limit: Duration = Self.usualLimit
    ) async throws -> Document {
        try Self.decoded(try await whole(.GET, path, within: limit), of: path)
    }

    /// Sends a command to the daemon and returns the answer.
    ///
    /// - Parameter limit: the time until the answer begins; nil for no limit, if a whole store must be read first.
    package func post(_ path: String, within limit: Duration?) async throws -> [UInt8] {
        try await whole(.POST, path, within: limit)
    }

    /// Calls `body` with each piece of an answer, until the answer ends or `body` returns false. Its pieces may come at
    /// any time.
    ///
    /// - Parameter limit: the time until the answer begins.
    package func stream(
        _ path: String, isPost: Bool = false, fields: [String: String] = [:], within limit: Duration = Self.usualLimit,
        _ body: ([UInt8]) async throws -> Bool
    ) async throws {
        let response = try await answered(isPost ? .POST : .GET, path, fields, within: limit)
        var pieces = response.body.makeAsyncIterator()
        // An error in `body` is not an error of the connection.
        while let piece = try await connected({ try await pieces.next() }) {
            guard try await body(Array(piece.readableBytesView)) else { return }
        }
    }

    /// The same line by line, without line ends. A line that is too long is an error.
    package func lines(
        _ path: String, isPost: Bool = false, within limit: Duration = Self.usualLimit,
        _ body: (String) async throws -> Bool
    ) async throws {
        var rest: [UInt8] = []
        try await stream(path, isPost: isPost, within: limit) { piece in
            var start = 0
            var searched = rest.count
            rest += piece
            while let end = rest[searched...].firstIndex(of: 0x0A) {
                let line = String(decoding: rest[start..<end], as: UTF8.self)
                start = end + 1
                searched = start
                guard try await body(line) else { return false }
            }
            rest.removeFirst(start)
            guard rest.count <= largestAnswer else {
                throw tooLarge("a line of the daemon's answer", largestAnswer)
            }
            return true
        }
    }

    /// Decodes a document of the daemon. Its keys are in snake case, those of the type in camel case.
    package static func decoded<Document: Decodable>(
        _ bytes: [UInt8], of path: String
    ) throws(ControlClientError) -> Document {
        do {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Document.self, from: Data(bytes))
        } catch {
            throw ControlClientError(
                .notUnderstood, "the daemon's answer to \(path) is not understood\(place(of: error))",
                remedy: "is it of another version?")
        }
    }

    /// The position of the error in a document.
    private static func place(of error: any Error) -> String {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?: path = context.codingPath + [key]
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?:
            path = context.codingPath
        default: return ""
        }
        return path.isEmpty ? "" : " (at \(path.map(\.stringValue).joined(separator: ".")))"
    }

    // MARK: - HTTP

    private func whole(
        _ method: HTTPMethod, _ path: String, within limit: Duration?, _ received: (Int) -> Void = { _ in }
    ) async throws -> [UInt8] {
        let response = try await answered(method, path, [:], within: limit)
        return try await whole(response, upTo: largestAnswer, received)
    }

    private func whole(
        _ response: HTTPClientResponse, upTo limit: Int, _ received: (Int) -> Void = { _ in }
    ) async throws -> [UInt8] {
        // Read by a separate task, which can be abandoned if nothing more arrives. It reads ahead, so it counts itself.
        let (pieces, arriving) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        let reading = Task {
            do {
                var count = 0
                for try await piece in response.body {
                    count += piece.readableBytes
                    guard count <= limit else { throw tooLarge("the daemon's answer", limit) }
                    arriving.yield(piece)
                }
                arriving.finish()
            } catch {
                arriving.finish(throwing: error)
            }
        }
        defer { reading.cancel() }
        let stalled = ControlClientError(
            .connectionLost, at: socket,
            "the daemon has sent nothing more of its answer for \(pauseLimit.components.seconds) s", remedy: Self.hangs)
        let pauseEnd = { Deadline(after: pauseLimit) { arriving.finish(throwing: stalled) } }
        var bytes: [UInt8] = []
        try await connected {
            var deadline = pauseEnd()
            for try await piece in pieces {
                deadline.cancel()
                bytes += piece.readableBytesView
                received(piece.readableBytes)
                deadline = pauseEnd()
            }
            deadline.cancel()
            // The stream of pieces also ends if this task is cancelled.
            try Task.checkCancellation()
        }
        return bytes
    }

    private func tooLarge(_ what: String, _ limit: Int) -> ControlClientError {
        ControlClientError(.notUnderstood, at: socket, "\(what) is larger than \(ByteCount.text(Int64(limit)))")
    }

    /// A busy daemon says when to ask again; this then repeats the request. Only GET requests are repeated.
    private func answered(
        _ method: HTTPMethod, _ path: String, _ fields: [String: String], within limit: Duration?
    ) async throws -> HTTPClientResponse {
        for _ in 0..<Self.mostRepetitions where method == .GET {
            let response = try await response(method, path, fields, within: limit)
            guard response.status == .serviceUnavailable,
                let pause = response.headers.first(name: "Retry-After").flatMap({ Int($0) }), (0...10).contains(pause)
            else { return try await checked(response, path) }
            try await Task.sleep(for: .seconds(pause))
        }
        return try await checked(try await response(method, path, fields, within: limit), path)
    }

    private static let mostRepetitions = 3

    private func response(
        _ method: HTTPMethod, _ path: String, _ fields: [String: String], within limit: Duration?
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        // The socket is the address, so any host name works.
        request.headers.add(name: "Host", value: "localhost")
        for (name, value) in fields { request.headers.add(name: name, value: value) }
        let deadline = limit.map { NIODeadline.now() + TimeAmount($0) } ?? .distantFuture
        let asked = request
        return try await connected {
            do {
                return try await Self.http.execute(asked, deadline: deadline)
            } catch let error as HTTPClientError where error == .deadlineExceeded {
                throw hanging(limit ?? .zero)
            }
        }
    }

    /// The error for a daemon that accepts the connection, but does not begin an answer in time.
    private func hanging(_ limit: Duration) -> ControlClientError {
        ControlClientError(
            .connectionLost, at: socket, "the daemon has not answered for \(limit.components.seconds) s",
            remedy: Self.hangs)
    }

    private static let hangs =
        "does it start or hang? systemctl status beacond; if it hangs: sudo systemctl restart beacond"

    /// - Throws: the daemon's refusal, if the response is one.
    private func checked(_ response: HTTPClientResponse, _ path: String) async throws -> HTTPClientResponse {
        guard !(200..<300).contains(response.status.code) else { return response }
        let body = try await whole(response, upTo: 1 << 20)
        let refusal: Refusal? = try? Self.decoded(body, of: path)
        var error = ControlClientError(
            .refused, refusal?.error ?? "the daemon answers \(response.status.code) to \(path)",
            remedy: refusal?.whatToDo ?? "", problems: refusal?.problems ?? [])
        error.isWrongUsage = response.status == .badRequest
        throw error
    }

    /// Reports connection errors in this program's words, not in a library's.
    private func connected<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ControlClientError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ControlClientError(
                .connectionLost, at: socket, "the daemon does not answer (\(Self.cause(of: error)))",
                remedy: "is it running? systemctl status beacond")
        }
    }

    private static func cause(of error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case let error as HTTPClientError where error == .connectTimeout: "it takes no connection"
        default: "the connection broke off"
        }
    }

    private struct Refusal: Decodable {
        var error: String
        var whatToDo: String
        var problems: [String]?
    }
}

extension ControlClient {
    /// Escapes text for a query (RFC 3986, section 3.4).
    package static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }
}
