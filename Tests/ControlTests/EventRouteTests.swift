import Control
import Events
import Settings
import TestSupport
import Testing

@Suite("The stream of events", .timeLimit(.minutes(10)))
struct EventRouteTests {
    private func stream(
        _ server: TestServer, _ query: String = "", _ fields: [String] = []
    ) async throws -> RawConnection {
        let connection = try server.connect()
        await connection.send(
            "GET /v1/events\(query) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n")
        try await connection.waitUntil("the stream begins") { $0.text.contains("retry: ") }
        return connection
    }

    private func show(_ server: TestServer, _ numbers: ClosedRange<Int>) {
        for number in numbers { server.hub.publish(.over(source: "source \(number)")) }
    }

    @Test("events come as they happen, with their numbers")
    func live() async throws {
        try await TestServer.with { server in
            let stream = try await stream(server)
            #expect(stream.text.contains("text/event-stream"))
            // It may not have subscribed yet: what it gets, it gets in order.
            var shown = 0
            try await stream.waitUntil("three events came") { connection in
                shown += 1
                server.hub.publish(.over(source: "source \(shown)"))
                return RawEvents(connection).ids.count >= 3
            }
            let events = RawEvents(stream)
            #expect(events.ids == events.ids.indices.map { events.ids[0] + UInt64($0) })
            #expect(events.kinds.allSatisfy { $0 == "source" })
            #expect(events.data[0].contains(#""id":\#(events.ids[0]),"#))
        }
    }

    @Test("a reader that comes back gets what it has missed, once and in order", arguments: [false, true])
    func resumes(byField: Bool) async throws {
        try await TestServer.with { server in
            show(server, 1...20)
            let after = server.hub.lastID - 5
            let stream = try await stream(
                server, byField ? "?after=1" : "?after=\(after)", byField ? ["Last-Event-ID: \(after)"] : [])
            try await stream.waitUntil("five events came") { RawEvents($0).ids.count >= 5 }
            #expect(RawEvents(stream).ids == Array(after + 1...after + 5))
            #expect(!RawEvents(stream).kinds.contains("missed"))
        }
    }

    @Test("what is not kept any more is said to be missed")
    func missed() async throws {
        try await TestServer.with(capacity: 10) { server in
            show(server, 1...30)
            let stream = try await stream(server, "?after=\(server.hub.lastID - 20)")
            try await stream.waitUntil("the rest came") { RawEvents($0).ids.last == server.hub.lastID }
            #expect(RawEvents(stream).kinds.first == "missed")
            #expect(RawEvents(stream).ids.count == 10)
        }
    }

    @Test("states come only to those who want them, without numbers")
    func states() async throws {
        try await TestServer.with { server in
            server.rank()
            let wanting = try await stream(server, "?states=1&after=0")
            let other = try await stream(server, "?after=0")
            try await wanting.waitUntil("the ranking came") { RawEvents($0).kinds.contains("ranging") }
            show(server, 1...1)
            try await other.waitUntil("the event came") { RawEvents($0).kinds.contains("source") }
            server.rank(isBlind: true)
            try await wanting.waitUntil("the next ranking came") { connection in
                RawEvents(connection).data.contains { $0.contains(#""scanner":"blind""#) }
            }
            other.read()
            #expect(!RawEvents(other).kinds.contains("ranging"))
            #expect(RawEvents(wanting).ids.count == 1)
        }
    }

    @Test("a reader that stops reading is let go of, and the others get everything")
    func stalled() async throws {
        try await TestServer.with({
            $0.writeTimeout = 5
            $0.maximumStreams = 2
        }) { server in
            let stalled = try await stream(server, "?after=0")
            let reader = try await stream(server, "?after=0")
            let text = String(repeating: "x", count: 4000)
            let first = server.hub.lastID + 1
            // More than the socket's buffers hold, and than the hub keeps for the slow. Each time less than they hold:
            // no write waits for the reader, however late this machine lets it read.
            for _ in 0..<200 {
                for _ in 0..<10 { server.hub.publish(.lost(source: text, problem: text, retry: 1)) }
                let last = server.hub.lastID
                try await reader.waitUntil("the reader has it all") { connection in
                    String(decoding: connection.received.suffix(50_000), as: UTF8.self).contains("id: \(last)\n")
                }
                reader.forget()
            }
            #expect(server.hub.lastID - first > 1000)
            // It must not read before it is let go of: its place is free then.
            let probe = try server.connect()
            try await waitUntil("its place is free") {
                try await probe.ask("/v1/events", method: "HEAD").status != 503
            }
            try await stalled.waitUntil("it is let go of") { $0.isOver }
            #expect(stalled.received.count < 4_000_000)
        }
    }

    @Test("too many streams are refused, and everything else is still answered")
    func tooMany() async throws {
        try await TestServer.with({ $0.maximumStreams = 2 }) { server in
            let streams = [try await stream(server), try await stream(server)]
            let refused = try await server.connect().ask("/v1/events")
            #expect(refused.status == 503)
            let status = try await server.connect().ask("/v1/status").status
            #expect(status == 200)
            #expect(streams.allSatisfy { !$0.hasEnded })
        }
    }

    @Test("a server that ends while clients come ends all the same", arguments: 1...20)
    func endsUnderLoad(clients: Int) async throws {
        let server = try await TestServer()
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let crowd = Task { [socket = server.socket] in
            var connections: [RawConnection] = []
            while let connection = try? RawConnection(unix: socket) {
                await connection.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                connections.append(connection)
                arrived.yield()
                await Task.yield()
            }
            for connection in connections {
                try await connection.waitUntil("it ends") { $0.isOver }
            }
        }
        for await _ in arrivals.prefix(clients) {}
        // Then nobody gets in any more.
        try await server.stop()
        try await crowd.value
    }

    @Test("streams end with the server")
    func ends() async throws {
        let server = try await TestServer()
        let stream = try await stream(server)
        try await server.stop()
        try await stream.waitUntil("it ends") { $0.isOver }
    }
}
