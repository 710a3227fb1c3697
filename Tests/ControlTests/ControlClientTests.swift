import Console
import ControlClient
import Settings
import TestSupport
import Testing

@Suite("A client of the control socket", .timeLimit(.minutes(10)))
struct ControlClientTests {
    @Test("gives a daemon up that takes the connection and never answers, and says what to do")
    func hanging() async throws {
        let silent = try SilentSocket()
        let client = ControlClient(socket: silent.path)
        let asked = await #expect(throws: ControlClientError.self) {
            _ = try await client.get("/v1/status", within: .milliseconds(200))
        }
        let told = await #expect(throws: ControlClientError.self) {
            _ = try await client.post("/v1/reload", within: .milliseconds(200))
        }
        withExtendedLifetime(silent) {}
        for error in [asked, told] {
            #expect(error?.place == silent.path && error?.problem.contains("has not answered") == true)
            #expect(error?.remedy.contains("systemctl status beacond") == true)
            #expect(error?.code == .connectionLost)
        }
    }

    @Test("gives a daemon up that stops in the middle of its answer")
    func stalled() async throws {
        let socket = try SilentSocket()
        socket.answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
        let client = ControlClient(socket: socket.path, pauseLimit: .milliseconds(200))
        let error = await #expect(throws: ControlClientError.self) {
            _ = try await client.get("/v1/status", within: longestWait)
        }
        withExtendedLifetime(socket) {}
        #expect(error?.place == socket.path && error?.problem.contains("nothing more of its answer") == true)
        #expect(error?.code == .connectionLost)
    }

    @Test("reads an answer line by line, however it is cut")
    func lines() async throws {
        let socket = try SilentSocket()
        let chunks = ["one\ntw", "o\n\n", "thr", "ee\n"].map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }
        socket.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks.joined())0\r\n\r\n")
        var lines: [String] = []
        try await ControlClient(socket: socket.path).lines(
            "/v1/content/sync", isPost: true, within: longestWait
        ) { line in
            lines.append(line)
            return true
        }
        withExtendedLifetime(socket) {}
        #expect(lines == ["one", "two", "", "three"])
    }

    @Test("takes a document that is as large as its limit, and refuses a larger one", arguments: [100, 99])
    func large(limit: Int) async throws {
        let socket = try SilentSocket()
        let body = String(repeating: "x", count: 100)
        socket.answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\(body)")
        let client = ControlClient(socket: socket.path, largestAnswer: limit)
        if limit < 100 {
            let error = await #expect(throws: ControlClientError.self) {
                _ = try await client.get("/v1/report", within: longestWait)
            }
            #expect(error?.code == .notUnderstood)
            #expect(error?.problem == "the daemon's answer is larger than 99 B")
        } else {
            #expect(try await client.get("/v1/report", within: longestWait) == Array(body.utf8))
        }
        withExtendedLifetime(socket) {}
    }

    @Test("does not wait for the end of a document that has become too large")
    func endless() async throws {
        let socket = try SilentSocket()
        // What is left of the document never comes.
        socket.answer("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n\(String(repeating: "x", count: 100))")
        let client = ControlClient(socket: socket.path, largestAnswer: 50)
        let error = await #expect(throws: ControlClientError.self) {
            _ = try await client.get("/v1/report", within: longestWait)
        }
        #expect(error?.problem == "the daemon's answer is larger than 50 B")
        withExtendedLifetime(socket) {}
    }

    @Test("refuses a line that does not end")
    func longLine() async throws {
        let socket = try SilentSocket()
        socket.answer("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\none\n\(String(repeating: "x", count: 100))")
        let client = ControlClient(socket: socket.path, largestAnswer: 50)
        let error = await #expect(throws: ControlClientError.self) {
            try await client.lines("/v1/sightings", within: longestWait) { line in
                #expect(line == "one")
                return true
            }
        }
        #expect(error?.code == .notUnderstood)
        #expect(error?.problem == "a line of the daemon's answer is larger than 50 B")
        withExtendedLifetime(socket) {}
    }

    @Test("does not wait for a place among those who wait to be let in")
    func full() throws {
        let silent = try SilentSocket(room: 0)
        for _ in 0..<3 { #expect(ControlSocket.look(silent.path) == .running) }
        withExtendedLifetime(silent) {}
    }
}
