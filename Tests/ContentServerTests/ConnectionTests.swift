import ContentServer
import CurationStore
import FoundationEssentials
import Logging
import Serving
import Synchronization
import TestSupport
import Testing

@Suite("Connections to the content server", .timeLimit(.minutes(10)))
struct ConnectionTests {
    private static let short = BoundedServer.Limits(
        connections: 16, connectionsOfAddress: 4, requestTimeout: 0.5, leastRate: 16_384, writeTimeout: 0.5)

    @Test("that address another host are refused", arguments: ["evil.example", "localhost.evil.example", "", "a b"])
    func otherHost(host: String) async throws {
        let server = try await CuratorServer()
        let status = try await server.ask("/sign-in", host: host).status
        #expect(status == 421 || status == 400)
    }

    @Test("without a host, or with two, are refused")
    func hosts() async throws {
        let server = try await CuratorServer()
        #expect(try await server.ask("/sign-in", host: nil).status == 400)
        #expect(try await server.ask("/sign-in", ["Host: evil.example"]).status == 400)
    }

    @Test("with a method that a page does not have are told which it has, and with an unknown one that it is")
    func methods() async throws {
        let server = try await CuratorServer()
        let other = try await server.ask("/beacons/new", method: "OPTIONS")
        #expect(other.status == 405 && other.fields["allow"] == "GET, HEAD")
        #expect(try await server.ask("/nothing", method: "OPTIONS").status == 404)
        #expect(try await server.ask("/beacons/new", method: "BREW").status == 501)
    }

    @Test("may address the server by a name that it was given")
    func namedHost() async throws {
        let server = try await CuratorServer { $0.hosts = ["content.museum.example"] }
        #expect(try await server.ask("/sign-in", host: "content.museum.example:8443").status == 200)
    }

    @Test("that a stranger says to be forwarded are taken for what they are")
    func strangersProxy() async throws {
        let server = try await CuratorServer()
        let page = try await server.ask("/sign-in", ["X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.1"])
        #expect(page.fields["set-cookie"]?.contains("Secure") == false)
        #expect(page.fields["strict-transport-security"] == nil)
    }

    @Test(
        "with two lengths, or another coding than chunked, are refused and closed",
        arguments: [
            "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: xchunked",
            "Content-Length: 5\r\nContent-Length: 6",
            "Transfer-Encoding: chunked, identity", "Content-Length: +5", "Content-Length: 5 5",
        ])
    func smuggling(fields: String) async throws {
        let server = try await CuratorServer()
        // One that ends would close it too.
        defer { withExtendedLifetime(server) {} }
        let connection = try RawConnection(port: server.port)
        await connection.send(
            "POST /sign-in HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: "
                + "localhost\r\n\r\n"
        )
        try await connection.waitUntil("it is closed") { $0.isOver }
        #expect(!connection.text.contains("HTTP/1.1 2") && !connection.text.contains("/smuggled"))
        let answers = connection.text.components(separatedBy: "HTTP/1.1 ").count - 1
        #expect(answers <= 1)
    }

    private static func head(
        token: String, length: Int, _ more: String = "", version: String = "1.1", path: String = "beacons"
    ) -> String {
        "POST /api/v1/\(path) HTTP/\(version)\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(length)\r\n\(more)\r\n"
    }

    private static let expectation = "Expect: 100-Continue\r\n"
    private static let goOn = "HTTP/1.1 100 Continue\r\n\r\n"
    private static let whale = #"{"name":{"en":"Whale"}}"#

    @Test("that wait with the body are asked for it, and can be used again (RFC 9110, section 10.1.1)")
    func expectation() async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit])
        let connection = try RawConnection(port: server.port)
        for _ in 0..<2 {
            connection.forget()
            await connection.send(Self.head(token: token, length: Self.whale.utf8.count, Self.expectation))
            try await connection.waitUntil("the body is asked for") { $0.text == Self.goOn }
            await connection.send(Self.whale)
            try await connection.waitUntil("it is answered") {
                RawResponse(Array($0.received.dropFirst(Self.goOn.utf8.count)), isOver: false)?.status == 201
            }
        }
        let fields = ["Host: localhost", "Authorization: Bearer \(token)"]
        let list = try await connection.ask("/api/v1/beacons", fields: fields)
        #expect(list.status == 200 && list["total"] == "2")
    }

    @Test("that send several requests at once get their answers in order, also if one waits with the body")
    func pipelinedExpectation() async throws {
        let server = try await CuratorServer()
        // One that ends would close the connection too.
        defer { withExtendedLifetime(server) {} }
        let token = try await server.token([.edit])
        let post = Self.head(token: token, length: Self.whale.utf8.count, Self.expectation) + Self.whale
        let connection = try RawConnection(port: server.port)
        let head = "HEAD /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n"
        await connection.send(head + post + head)
        func statuses() -> [String] {
            connection.text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
        }
        try await connection.waitUntil("all are answered") { _ in statuses().count == 4 }
        #expect(statuses() == ["200", "100", "201", "200"])
    }

    @Test(
        "that do not wait with the body, or cannot, get nothing but the answer",
        arguments: [
            ("1.1", ""), ("1.1", "Expect: something-else\r\n"), ("1.0", "Expect: 100-continue\r\n"),
        ])
    func noExpectation(version: String, field: String) async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit])
        let connection = try RawConnection(port: server.port)
        let head = Self.head(token: token, length: Self.whale.utf8.count, field, version: version)
        await connection.send(head + Self.whale)
        try await connection.waitUntil("it is answered") {
            RawResponse($0.received, isOver: $0.isOver)?.status == 201
        }
    }

    @Test("that wait with the body are refused before they send it, and closed", arguments: [401, 413])
    func refusedExpectation(status: Int) async throws {
        let server = try await CuratorServer()
        let token = status == 401 ? "invented" : try await server.token([.edit])
        let connection = try RawConnection(port: server.port)
        await connection.send(Self.head(token: token, length: 2 << 20, Self.expectation))
        // A server that waits for the body waits for ever.
        try await connection.waitUntil("it is closed") { $0.isOver }
        let answer = try #require(RawResponse(connection.received, isOver: true))
        #expect(answer.status == status && answer.fields["connection"] == "close")
    }

    @Test(
        "that wait with a file that is too large are refused before they send it, and closed",
        arguments: ["uploads?name=a.jpeg", "import/site.zip", "import/beacons.csv"])
    func refusedFile(path: String) async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit])
        let connection = try RawConnection(port: server.port)
        await connection.send(Self.head(token: token, length: 3 << 30, Self.expectation, path: path))
        try await connection.waitUntil("it is closed") { $0.isOver }
        let answer = try #require(RawResponse(connection.received, isOver: true))
        #expect(answer.status == 413 && answer.fields["connection"] == "close")
    }

    @Test("that send their request slowly are closed when its time is over, and not before")
    func slowHead() async throws {
        try await expectTimeout("GET /sign-in HTTP/1.1\r\nHost: loc")
    }

    @Test("that send their body slowly are closed when the time of the request is over, and not before")
    func slowBody() async throws {
        try await expectTimeout("POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\na")
    }

    /// Sends a part of a request, and waits until the server closes the connection.
    private func expectTimeout(_ part: String) async throws {
        let server = try await CuratorServer(limits: Self.short)
        // One that ends would close it too.
        defer { withExtendedLifetime(server) {} }
        let start = ContinuousClock.now
        let connection = try RawConnection(port: server.port)
        await connection.send(part)
        try await connection.waitUntil("it is closed") { $0.isOver }
        #expect(start.duration(to: .now) >= .seconds(Self.short.requestTimeout), "it was closed too early")
    }

    @Test("with too large heads are refused", arguments: [1, 2, 3])
    func largeHead(kind: Int) async throws {
        let server = try await CuratorServer()
        let long = String(repeating: "a", count: 40_000)
        let many = (0..<200).map { "X-\($0): a" }
        let response =
            switch kind {
            case 1: try await server.ask("/sign-in", ["X-Long: \(long)"])
            case 2: try await server.ask("/sign-in", many)
            default: try await server.ask("/sign-in?\(long.prefix(9000))")
            }
        #expect(kind == 3 ? (400..<500).contains(response.status) : response.status == 431)
    }

    @Test("of one address have a limit, and others are told so")
    func tooMany() async throws {
        let server = try await CuratorServer(
            limits: .init(connections: 8, connectionsOfAddress: 4, requestTimeout: 300, writeTimeout: 300))
        // One that ends would close them too.
        defer { withExtendedLifetime(server) {} }
        let held = try (0..<8).map { _ in try RawConnection(port: server.port) }
        var refused = 0
        for connection in held {
            await connection.send("GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await connection.waitUntil("it is answered") { !$0.received.isEmpty }
            if connection.text.hasPrefix("HTTP/1.1 503") { refused += 1 }
        }
        #expect(refused == 4)
    }

    @Test(
        "that end, or send no HTTP, in the middle of a body are told so, and are no error in the log",
        arguments: [
            "Content-Length: 100\r\n\r\na", "Transfer-Encoding: chunked\r\n\r\n5\r\nhe",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n",
        ])
    func halfBody(rest: String) async throws {
        let log = LogText()
        let server = try await CuratorServer(logger: Logger(label: "test") { _ in LogText.Handler(log: log) })
        // One that ends would close it too.
        defer { withExtendedLifetime(server) {} }
        let connection = try RawConnection(port: server.port)
        await connection.send(
            "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n\(rest)")
        connection.finish()
        try await connection.waitUntil("it is closed") { $0.isOver }
        #expect(connection.text.hasPrefix("HTTP/1.1 400 "))
        #expect(connection.text.contains("the body of the request is not complete"))
        #expect(log.lines.withLock { $0 } == [])
    }

    /// Requests that are answered before they are read to their end.
    enum Early: CaseIterable {
        case noHTTP, tooLarge, tooMany

        var request: String {
            switch self {
            case .noHTTP: "GET /sign-in HTTP/1.1\r\nX-Long: " + String(repeating: "a", count: 40_000)
            case .tooLarge: "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000000\r\n\r\n"
            case .tooMany: "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
            }
        }
    }

    @Test("that are answered early can send the rest before they read the answer", arguments: Early.allCases)
    func earlyAnswer(_ early: Early) async throws {
        let server = try await CuratorServer(
            limits: .init(
                connections: 8, connectionsOfAddress: 4, requestTimeout: 300, writeTimeout: 300, lingerTime: 300))
        // One that ends would close them too.
        defer { withExtendedLifetime(server) {} }
        let held = try (0..<(early == .tooMany ? 4 : 0)).map { _ in try RawConnection(port: server.port) }
        for connection in held {
            await connection.send("GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await connection.waitUntil("it is answered") { !$0.received.isEmpty }
        }
        let connection = try RawConnection(port: server.port)
        await connection.send(early.request + String(repeating: "a", count: 900_000))
        connection.finish()
        try await waitUntil("the connection ends") { connection.hasEnded }
        connection.read()
        #expect(connection.text.hasPrefix("HTTP/1.1 4") || connection.text.hasPrefix("HTTP/1.1 503"))
        withExtendedLifetime(held) {}
    }

    @Test("send forms that are too large, and are told so")
    func largeForm() async throws {
        let server = try await CuratorServer()
        let (cookie, csrf) = try await server.visit()
        let large = String(repeating: "a", count: FormMiddleware.largestForm)
        let response = try await server.post("/sign-in", [("csrf", csrf), ("name", large)], cookie: cookie)
        #expect(response.status == 413)
    }
}

/// The errors and warnings of a server.
private final class LogText: Sendable {
    let lines = Mutex<[String]>([])

    struct Handler: LogHandler {
        let log: LogText
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.lines.withLock { $0.append("\(event.level): \(event.message)") }
        }
    }
}
