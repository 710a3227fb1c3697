import Control
import Foundation
import Serving
import Settings
import TestSupport
import Testing
import Text

@Suite("The control socket", .timeLimit(.minutes(10)))
struct ServerTests {
    @Test("is for its owner and its group, and goes with the server")
    func mode() async throws {
        let server = try await TestServer()
        let attributes = try FileManager.default.attributesOfItem(atPath: server.socket)
        #expect(attributes[.posixPermissions] as? Int == 0o660)
        let path = server.socket
        try await server.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("takes the place of one that a killed daemon left")
    func stale() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder)/control.sock"
        // And what one left that was killed before it listened.
        for path in [path, path + ".new"] { close(try listener(path)) }
        try await TestServer.with({ $0.socket = path }) { _ in
            let status = try await RawConnection(unix: path).ask("/v1").status
            #expect(status == 200)
        }
        #expect(folder.names == ["control.sock.lock"])
    }

    @Test("may have any path that a socket can have")
    func longPath() async throws {
        let folder = try TemporaryFolder()
        // There is no room for any other name.
        let path = folder.path(String(repeating: "s", count: max(1, 106 - folder.path.utf8.count)))
        try await TestServer.with({ $0.socket = path }) { _ in
            let status = try await RawConnection(unix: path).ask("/v1").status
            #expect(status == 200)
        }
    }

    @Test("is there only when it listens: no client is refused before")
    func neverRefuses() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("control.sock")
        let client = Task {
            var refusals = 0
            while !Task.isCancelled {
                if Self.isRefused(at: path) { refusals += 1 }
                await Task.yield()
            }
            return refusals
        }
        defer { client.cancel() }
        var sockets: [ListeningSocket] = []
        // Closed in the end: a client may have found one in the moment in which its name went.
        defer { for socket in sockets { close(socket.descriptor) } }
        for _ in 0..<64 {
            let socket = try ListeningSocket.bound(to: path)
            sockets.append(socket)
            socket.release()
        }
        client.cancel()
        let refusals = await client.value
        #expect(refusals == 0)
    }

    @Test("is closed where the port beside it cannot be had")
    func portInUse() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("control.sock")
        let port = try FullPort()
        let address = try ListenAddress("127.0.0.1:\(port.number)")
        await #expect(throws: SocketError.self) {
            try await TestServer {
                $0.socket = path
                $0.listen = address
            }.stop()
        }
        withExtendedLifetime(port) {}
        let open = try kernelText("/proc/net/unix")
        #expect(!open.contains(path))
    }

    /// A socket of another program at a path.
    private func listener(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let result = withUnixAddress(path: path) { bind(descriptor, $0, $1) }
        try #require(result == 0 && listen(descriptor, 4) == 0)
        return descriptor
    }

    private static func isRefused(at path: String) -> Bool {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        defer { close(descriptor) }
        return withUnixAddress(path: path) { connect(descriptor, $0, $1) } != 0 && errno == ECONNREFUSED
    }

    @Test("does not take the place of a file that is no socket")
    func otherFile() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder)/control.sock"
        try "a letter".write(toFile: path, atomically: false, encoding: .utf8)
        let error = await #expect(throws: SocketError.self) { try await TestServer { $0.socket = path }.stop() }
        #expect(error?.description.contains("a file is there that is no socket; remove it") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a letter")
    }

    @Test("does not take the place of another program's that listens")
    func otherProgram() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder)/control.sock"
        let descriptor = try listener(path)
        defer { close(descriptor) }
        let error = await #expect(throws: SocketError.self) { try await TestServer { $0.socket = path }.stop() }
        #expect(error?.description.contains("another program listens there") == true)
        _ = try RawConnection(unix: path)
    }

    @Test("what is there when the server ends is left alone where it is another's")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder)/control.sock"
        var descriptor: Int32 = -1
        try await TestServer.with({ $0.socket = path }) { _ in
            unlink(path)
            descriptor = try listener(path)
        }
        defer { close(descriptor) }
        _ = try RawConnection(unix: path)
    }

    @Test("is not taken from a daemon that runs")
    func taken() async throws {
        try await TestServer.with { server in
            let error = await #expect(throws: SocketError.self) {
                try await TestServer { [path = server.socket] in $0.socket = path }.stop()
            }
            #expect(error?.description.contains("another beacond has it") == true)
            let status = try await server.connect().ask("/v1").status
            #expect(status == 200)
        }
    }

    @Test(
        "says why it cannot be made", arguments: ["/proc/beacond.sock", "/tmp/" + String(repeating: "long", count: 30)])
    func impossible(path: String) async throws {
        let error = await #expect(throws: SocketError.self) {
            try await TestServer { $0.socket = path }.stop()
        }
        #expect(error?.description.hasPrefix(path) == true)
    }

    @Test("too many connections are refused, and the first go on")
    func connections() async throws {
        try await TestServer.with({ $0.maximumConnections = 3 }) { server in
            var connections: [RawConnection] = []
            for _ in 0..<2 {
                let connection = try server.connect()
                let status = try await connection.ask("/v1").status
                #expect(status == 200)
                connections.append(connection)
            }
            // The one that looked whether the server was there may still count.
            var statuses: [Int] = []
            for _ in 0..<5 {
                let connection = try server.connect()
                statuses.append((try? await connection.ask("/v1").status) ?? 503)
                connections.append(connection)
            }
            #expect(statuses.contains(503))
            let first = try await connections[0].ask("/v1").status
            #expect(first == 200)
        }
    }

    @Test(
        "what is no request ends the connection, and nothing else",
        arguments: [
            "\0\0\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET /v1\r\n\r\n", "GET /v1 HTTP/9.9\r\n\r\n",
            "GET /v1 HTTP/1.1\r\nHost localhost\r\n\r\n", "GET /v1 HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "GET /v1 HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "GET /v1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET /\(String(repeating: "a", count: 200_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /v1 HTTP/1.1\r\n"
                + "\(String(repeating: "X-Long: \(String(repeating: "y", count: 1000))\r\n", count: 100))\r\n",
            "GET /v1 HTTP/1.1\r\nX: \(String(repeating: "y", count: 100_000))\r\n\r\n",
            "GET /v1 HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 5000))\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{03}\u{01}\u{00}\u{A5}\u{01}",
        ])
    func malformed(text: String) async throws {
        try await TestServer.with { server in
            let bystander = try server.connect()
            let before = try await bystander.ask("/v1").status
            #expect(before == 200)
            let connection = try server.connect()
            await connection.send(text)
            connection.finish()
            try await connection.waitUntil("it ends") { $0.isOver }
            #expect(!connection.text.hasPrefix("HTTP/1.1 200"), "\(connection.text.prefix(200))")
            let status = try await bystander.ask("/v1").status
            #expect(status == 200)
        }
    }

    @Test("what is no request is told so as every refusal")
    func mistakes() async throws {
        try await TestServer.with { server in
            let answer = try await server.connect().ask("/v1", fields: ["Host localhost"])
            #expect(answer.status == 400 && answer["error"] == "what was sent is no HTTP request")
            #expect(answer["what_to_do"]?.isEmpty == false)
        }
    }

    @Test(
        "a request has one host (RFC 9112, section 3.2)",
        arguments: [
            ("1.1", [], 400), ("1.1", ["Host: localhost", "Host: localhost"], 400),
            ("1.1", ["Host: localhost", "host: evil.example"], 400), ("1.0", ["Host: a", "Host: b"], 400),
            ("1.0", [], 200), ("1.1", ["HOST: localhost"], 200),
        ] as [(String, [String], Int)])
    func oneHost(version: String, fields: [String], status: Int) async throws {
        try await TestServer.with { server in
            let connection = try server.connect()
            let rest = fields.map { "\($0)\r\n" }.joined() + "\r\n"
            await connection.send("GET /v1 HTTP/\(version)\r\n\(rest)")
            try await connection.waitUntil("it is answered") { $0.text.contains("HTTP/1.1 \(status)") }
            if status == 400 {
                try await connection.waitUntil("it ends") { $0.isOver }
                #expect(connection.text.contains("host"))
            }
        }
    }

    @Test("an unknown method is told so, and what is no method is no request")
    func methods() async throws {
        try await TestServer.with { server in
            let unknown = try await server.connect().ask("/v1", method: "BREW")
            #expect(unknown.status == 501 && unknown["error"]?.contains("method") == true, "\(unknown.text)")
            let other = try await server.connect().ask("/v1", method: "DELETE")
            #expect(other.status == 405 && other.fields["allow"] == "GET, HEAD")
            let nonsense = try await server.connect().ask("/v1", method: "<b>")
            #expect(nonsense.status == 400)
        }
    }

    @Test(
        "a request that trickles in is waited for until the time-out, and no longer",
        arguments: ["Content-Length: 1000\r\n\r\n", "X-Slow: "])
    func trickle(rest: String) async throws {
        try await TestServer.with({ $0.requestTimeout = 0.5 }) { server in
            let start = ContinuousClock.now
            let connection = try server.connect()
            await connection.send("POST /v1/content/prune HTTP/1.1\r\nHost: localhost\r\n\(rest)")
            // Each octet comes long before the time-out.
            try await waitUntil("the connection ends") {
                await connection.send("a")
                connection.read()
                return connection.isOver
            }
            #expect(start.duration(to: .now) >= .seconds(0.5), "it was closed too early")
        }
    }

    @Test(
        "a body is not taken",
        arguments: [
            "Content-Length: 100000000", "Content-Length: 65537", "Content-Length: 9223372036854775808",
            "Content-Length: 18446744073709551615", "Transfer-Encoding: chunked",
        ])
    func bodies(field: String) async throws {
        try await TestServer.with { server in
            let connection = try server.connect()
            let answer = try await connection.ask(
                "/v1/content/prune", method: "POST", fields: ["Host: localhost", field])
            #expect(answer.status == 413)
            try await connection.waitUntil("the connection ends") { $0.isOver }
        }
    }

    @Test("requests that are damaged anyhow harm nobody", arguments: 1...8)
    func fuzz(seed: UInt64) async throws {
        try await TestServer.with { server in
            var random = SeededGenerator(seed: seed)
            let text =
                "GET /v1/events?after=12&states=1 HTTP/1.1\r\nHost: localhost\r\n"
                + "Last-Event-ID: 7\r\nContent-Length: 3\r\n\r\nabc"
            let whole = Array(text.utf8)
            for _ in 0..<60 {
                var octets = whole
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let index = Int.random(in: 0..<octets.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: octets[index] = UInt8.random(in: 0...255, using: &random)
                    case 1 where octets.count > 1: octets.remove(at: index)
                    default: octets.insert(UInt8.random(in: 0...255, using: &random), at: index)
                    }
                }
                let connection = try server.connect()
                await connection.send(octets[..<Int.random(in: 0...octets.count, using: &random)])
                connection.finish()
            }
            let status = try await server.connect().ask("/v1").status
            #expect(status == 200)
        }
    }
}

@Suite("The API on a network", .timeLimit(.minutes(10)))
struct NetworkTests {
    private func with(
        token: String? = nil, hosts: [String] = [], _ body: (TestServer, RawConnection) async throws -> Void
    ) async throws {
        let port = try freePort()
        try await TestServer.with({
            $0.listen = try ListenAddress("\(port)")
            $0.token = token
            $0.hosts = hosts
        }) { server in
            server.rank()
            // Both sockets begin one after the other.
            let connection = try await eventually("it listens on the port") { try? RawConnection(port: Int(port)) }
            try await body(server, connection)
        }
    }

    @Test("is to read only")
    func readOnly() async throws {
        try await with { server, connection in
            let reading = try await connection.ask("/v1/status").status
            #expect(reading == 200)
            for path in ["sync", "verify", "prune"] {
                let status = try await connection.ask("/v1/content/\(path)", method: "POST").status
                #expect(status == 403)
            }
            let status = try await connection.ask("/v1/status", method: "POST").status
            #expect(status == 405)
        }
    }

    @Test(
        "only names of this host are answered, so that no other site's name can be made to mean it",
        arguments: [
            ("localhost", true), ("localhost:8080", true), ("127.0.0.1:8080", true), ("[::1]:8080", true),
            ("192.168.1.7", true), ("museum.example", true), ("MUSEUM.example:80", true), ("evil.example", false),
            ("localhost.evil.example", false), ("", false), ("127.0.0.1.evil.example", false),
            ("localhost.", true), ("museum.example.:80", true), ("museum.example..", false), (".", false),
        ])
    func hosts(host: String, isAnswered: Bool) async throws {
        try await with(hosts: ["museum.example"]) { _, connection in
            let answer = try await connection.ask("/v1/status", fields: ["Host: \(host)"])
            #expect(answer.status == (isAnswered ? 200 : 421), "\(answer.text)")
        }
    }

    @Test(
        "the host of an address in absolute form counts, whatever the field says (RFC 9112, section 3.2.2)",
        arguments: [
            ("http://evil.example/v1/status", "localhost", 421), ("http://evil.example?/@localhost", "localhost", 421),
            ("http://localhost:8080/v1/status", "evil.example", 200), ("HTTP://[::1]/v1/status", "evil.example", 200),
            ("http://localhost@evil.example/v1/status", "localhost", 400),
            ("http://evil.example@localhost/v1/status", "localhost", 400),
        ])
    func absoluteForm(target: String, host: String, status: Int) async throws {
        try await with { _, connection in
            let answer = try await connection.ask(target, fields: ["Host: \(host)"])
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test(
        "the token is asked for",
        arguments: [
            ([], 401), (["Authorization: Bearer s3cret"], 200), (["Authorization: bearer s3cret"], 200),
            (["Authorization: Bearer s3cre"], 401), (["Authorization: Bearer s3cret2"], 401),
            (["Authorization: Bearer"], 401), (["Authorization: Bearer  s3cret"], 200),
            (["Authorization: Basic s3cret"], 401), (["Cookie: beacond_token=s3cret"], 200),
            (["Cookie: beacond_token=no"], 401), (["Cookie: a=b; beacond_token=s3cret"], 200),
            (["Cookie: a=b\u{600}; beacond_token=s3cret"], 200),
        ] as [([String], Int)])
    func token(fields: [String], status: Int) async throws {
        try await with(token: "s3cret") { server, connection in
            let answer = try await connection.ask("/v1/status", fields: ["Host: localhost"] + fields)
            #expect(answer.status == status)
            if status == 401 { #expect(answer.fields["www-authenticate"]?.hasPrefix("Bearer") == true) }
            // The socket's file says who may ask there.
            let local = try await server.connect().ask("/v1/status").status
            #expect(local == 200)
        }
    }

    @Test("one address gets a part of the places, and the Unix socket the others")
    func perAddress() async throws {
        let port = try freePort()
        try await TestServer.with({
            $0.listen = try ListenAddress("\(port)")
            $0.maximumConnections = 8
            $0.maximumConnectionsOfAddress = 3
        }) { server in
            server.rank()
            var connections: [RawConnection] = []
            var statuses: [Int] = []
            while statuses.count < 8 {
                let connection = try await eventually("a client gets in") { try? RawConnection(port: Int(port)) }
                connections.append(connection)
                let answer = try await connection.ask("/v1/status")
                statuses.append(answer.status)
                if answer.status == 503 {
                    #expect(answer["error"] == "too many connections from your address")
                    #expect(answer.fields["retry-after"] == "5")
                }
            }
            // This host's own may have half of all.
            #expect(statuses == [200, 200, 200, 200, 503, 503, 503, 503])
            let local = try await server.connect().ask("/v1/status").status
            #expect(local == 200)
        }
    }

    @Test("a page that is opened with the token keeps it in a cookie, and not in its address")
    func cookie() async throws {
        try await with(token: "s3cret") { _, connection in
            let page = try await connection.ask("/?token=s3cret")
            #expect(page.status == 303 && page.fields["location"] == "./")
            let cookie = try #require(page.fields["set-cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            // Gone with the session.
            #expect(!cookie.contains("Max-Age") && !cookie.contains("Expires"))
            // Relative: it stays on this host, and below the path that a proxy has for it.
            for (asked, location) in [
                ("//evil.example/?token=s3cret", "./"), ("//evil.example?token=s3cret", "./evil.example"),
                ("/page?kiosk&token=s3cret", "./page?kiosk"),
            ] {
                #expect(try await connection.ask(asked).fields["location"] == location)
            }
            let api = try await connection.ask("/v1/status?token=s3cret")
            #expect(api.status == 200)
            let status = try await connection.ask("/v1/status?token=wrong").status
            #expect(status == 401)
        }
    }
}
