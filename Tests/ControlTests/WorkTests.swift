import Beacon
import Control
import Events
import Foundation
import Serving
import Synchronization
import TestSupport
import Testing

@Suite("Work for clients that takes long", .timeLimit(.minutes(10)))
struct WorkTests {
    /// Work that goes on until it is let go.
    private final class Held: Sendable {
        let isLetGo = Atomic(false)
        let running = Atomic(0)
        let most = Atomic(0)
        let made = Atomic(0)
        let stopped = Atomic(0)

        func work(_ interest: WorkInterest) throws -> Int {
            let now = running.add(1, ordering: .sequentiallyConsistent).newValue
            most.max(now, ordering: .sequentiallyConsistent)
            defer { running.subtract(1, ordering: .sequentiallyConsistent) }
            while !isLetGo.load(ordering: .sequentiallyConsistent) {
                if !interest.isWanted {
                    stopped.add(1, ordering: .sequentiallyConsistent)
                    throw CancellationError()
                }
                // It is work, which blocks its thread, and asks now and then whether it is still wanted.
                usleep(1000)
            }
            return made.add(1, ordering: .sequentiallyConsistent).newValue
        }

        func waitUntil(_ what: String, _ condition: (Held) -> Bool) async throws {
            try await TestSupport.waitUntil(what) { condition(self) }
        }

        func letGo() { isLetGo.store(true, ordering: .sequentiallyConsistent) }
        var isRunning: Bool { running.load(ordering: .sequentiallyConsistent) > 0 }
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    @Test("is done one piece at a time; beyond the limit it is refused, with when to ask again")
    func bounded() async throws {
        let held = Held()
        let queue = WorkQueue("tests", maximumWaiting: 3)
        let first = Task { try await queue.run(held.work) }
        try await held.waitUntil("it runs") { $0.isRunning }
        let others = (0..<8).map { _ in Task { try await queue.run(held.work) } }
        var refused = 0
        let ended = Count()
        let watching = others.map { task in
            Task {
                let result = await task.result
                ended.value.add(1, ordering: .sequentiallyConsistent)
                return result
            }
        }
        // Those that are refused end while the others wait.
        try await held.waitUntil("five are refused") { _ in ended.value.load(ordering: .sequentiallyConsistent) == 5 }
        held.letGo()
        for task in watching {
            guard case .failure(let error) = await task.value else { continue }
            let failure = try #require(error as? Refusal)
            #expect(failure.status == 503 && failure.retryAfter == 1)
            refused += 1
        }
        _ = try await first.value
        #expect(refused == 5)
        #expect(held.made.load(ordering: .sequentiallyConsistent) == 4)
        #expect(held.most.load(ordering: .sequentiallyConsistent) == 1)
    }

    @Test("ends when nobody waits for it any more, and is not begun where nobody does")
    func cancelled() async throws {
        let held = Held()
        let queue = WorkQueue("tests")
        let running = Task { try await queue.run(held.work) }
        try await held.waitUntil("it runs") { $0.isRunning }
        let waiting = Task { try await queue.run(held.work) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(held.stopped.load(ordering: .sequentiallyConsistent) == 1)
        #expect(held.made.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test("is done once for all who ask for the same, again where that has changed, and stops with the last of them")
    func shared() async throws {
        let (held, comparisons) = (Held(), Count())
        let answer = SharedAnswer<ComparedKey>(WorkQueue("tests"))
        @Sendable func ask(_ number: Int) async throws {
            let key = ComparedKey(number: number, comparisons: comparisons)
            _ = try await answer.body(for: key) { SharedBody("\(try held.work($0))") }
        }
        let leaving = (0..<4).map { _ in Task { try await ask(1) } }
        try await held.waitUntil("it runs") { $0.isRunning }
        // One that asks when the others have left would begin it again.
        try await held.waitUntil("all ask for it") { _ in
            comparisons.value.load(ordering: .sequentiallyConsistent) == 3
        }
        for task in leaving { task.cancel() }
        for task in leaving { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(held.stopped.load(ordering: .sequentiallyConsistent) == 1)

        let staying = (0..<16).map { _ in Task { try await ask(1) } }
        held.letGo()
        for task in staying { try await task.value }
        try await ask(1)
        #expect(held.made.load(ordering: .sequentiallyConsistent) == 1)
        try await ask(2)
        try await ask(2)
        #expect(held.made.load(ordering: .sequentiallyConsistent) == 2)
        answer.forget()
        try await ask(2)
        #expect(held.made.load(ordering: .sequentiallyConsistent) == 3)
    }

    /// Says when it was compared with another key.
    private struct ComparedKey: Equatable, Sendable {
        let number: Int
        let comparisons: Count

        static func == (left: Self, right: Self) -> Bool {
            left.comparisons.value.add(1, ordering: .sequentiallyConsistent)
            return left.number == right.number
        }
    }

    @Test("stops with the last who asked for it, also where somebody has asked for something else since")
    func sharedApart() async throws {
        let (held, comparisons) = (Held(), Count())
        let answer = SharedAnswer<ComparedKey>(WorkQueue("tests"))
        @Sendable func ask(_ number: Int) async throws {
            let key = ComparedKey(number: number, comparisons: comparisons)
            _ = try await answer.body(for: key) { SharedBody("\(try held.work($0))") }
        }
        let leaving = Task { try await ask(1) }
        try await held.waitUntil("it runs") { $0.isRunning }
        let staying = Task { try await ask(2) }
        try await held.waitUntil("something else is asked for") { _ in
            comparisons.value.load(ordering: .sequentiallyConsistent) > 0
        }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        #expect(held.stopped.load(ordering: .sequentiallyConsistent) == 1)
        held.letGo()
        try await staying.value
        #expect(held.made.load(ordering: .sequentiallyConsistent) == 1)
    }

    @Test("what it waits for is cancelled when its client has left")
    func waiting() async throws {
        let (begun, ended) = (Count(), Count())
        let queue = WorkQueue("tests")
        let route = ControlRoute(.get, "/v1/test", "Takes long") { _ in
            try await queue.run { interest in
                try WorkQueue.wait(interest) {
                    begun.value.add(1, ordering: .sequentiallyConsistent)
                    defer { ended.value.add(1, ordering: .sequentiallyConsistent) }
                    try await Task.sleep(for: .seconds(3600))
                }
            }
            return .json("{}")
        }
        try await TestServer.with(more: [route]) { server in
            let held = Held()
            do {
                let connection = try server.connect()
                await connection.send("GET /v1/test HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try await held.waitUntil("it runs") { _ in begun.value.load(ordering: .sequentiallyConsistent) == 1 }
                withExtendedLifetime(connection) {}
            }
            try await held.waitUntil("it is cancelled") { _ in ended.value.load(ordering: .sequentiallyConsistent) == 1
            }
        }
    }

    @Test("stops when its client has left")
    func client() async throws {
        let held = Held()
        let queue = WorkQueue("tests")
        let route = ControlRoute(.get, "/v1/test", "Takes long") { _ in .json("\(try await queue.run(held.work))") }
        try await TestServer.with(more: [route]) { server in
            do {
                let connection = try server.connect()
                await connection.send("GET /v1/test HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try await held.waitUntil("it runs") { $0.isRunning }
                withExtendedLifetime(connection) {}
            }
            try await held.waitUntil("it is stopped") { $0.stopped.load(ordering: .sequentiallyConsistent) == 1 }
        }
    }

    @Test("names are searched among the work that takes long, and other requests are answered meanwhile")
    func names() async throws {
        let (gate, refused) = (Gate(), Count())
        try await TestServer.with(gate: gate) { server in
            defer { gate.open() }
            server.rank()
            server.hub.names.add([lobby: "Lobby"])
            @Sendable func explain() async throws -> Int {
                let status = try await server.connect().ask("/v1/explain/\(lobby.uuid)/1/2").status
                if status == 503 { refused.value.add(1, ordering: .sequentiallyConsistent) }
                return status
            }
            let first = Task { try await explain() }
            try await waitUntil("an explanation is made") { gate.isReached }
            let others = (0..<40).map { _ in Task { try await explain() } }
            try await waitUntil("no more of them can wait") {
                refused.value.load(ordering: .sequentiallyConsistent) == 8
            }
            let connection = try server.connect()
            for path in ["/v1/ranging?beacon=Lobby", "/v1/ranging?beacon=Cafeteria", "/v1/health?beacon=Cafeteria"] {
                let answer = try await connection.ask(path)
                #expect(answer.status == 503 && answer.fields["retry-after"] == "1", "\(answer.text)")
            }
            for path in ["/healthz", "/v1/ranging"] { #expect(try await connection.ask(path).status == 200) }
            gate.open()
            var statuses = [try await first.value]
            for task in others { statuses.append(try await task.value) }
            #expect(statuses.count { $0 == 404 } == 33)
            #expect(try await connection.ask("/v1/ranging?beacon=Lobby").status == 200)
            #expect(try await connection.ask("/v1/ranging?beacon=Cafeteria").status == 404)
        }
    }

    @Test("what has not changed is not sent again")
    func entityTag() async throws {
        try await TestServer.with { server in
            server.rank()
            let first = try await server.connect().ask("/v1/ranging")
            let tag = try #require(first.fields["etag"])
            let second = try await server.connect().ask(
                "/v1/ranging", fields: ["Host: localhost", "If-None-Match: \(tag)"])
            #expect(second.status == 304)
            server.rank(isBlind: true)
            let third = try await server.connect().ask(
                "/v1/ranging", fields: ["Host: localhost", "If-None-Match: \(tag)"])
            #expect(third.status == 200 && third["scanner"] == "blind")
        }
    }
}
