import Broker
import MQTT
import Platform
import Settings
import Synchronization
import TestSupport
import Testing

/// What a user of a connection got. Written by the connection's thread.
private final class Notes: Sendable {
    private struct State {
        var hasRoom = false
        var connections = 0
        var messages: [String] = []
        var problems: [String] = []
    }

    private let state = Mutex(State())

    var hasRoom: Bool { state.withLock { $0.hasRoom } }
    var connections: Int { state.withLock { $0.connections } }
    var messages: [String] { state.withLock { $0.messages } }
    var problems: [String] { state.withLock { $0.problems } }

    func makeRoom() { state.withLock { $0.hasRoom = true } }
    func noteConnection() { state.withLock { $0.connections += 1 } }
    func note(_ message: MosquittoClient.Message) {
        state.withLock { $0.messages.append(String(decoding: message.payload ?? [], as: UTF8.self)) }
    }
    func note(_ problem: BrokerProblem) { state.withLock { $0.problems.append("\(problem)") } }
}

/// Has no room for messages until a test says so.
private final class CrowdedUser: BrokerUser {
    private let login: BrokerLogin
    private let notes: Notes

    init(_ login: BrokerLogin, _ notes: Notes) {
        self.login = login
        self.notes = notes
    }

    var hasRoom: Bool { notes.hasRoom }

    func client() throws(BrokerProblem) -> MosquittoClient {
        var kind = MosquittoClient.Kind()
        kind.isLasting = true
        kind.largestMessage = 1000
        return try MosquittoClient(login, kind)
    }

    func greet(_ client: MosquittoClient) throws(BrokerProblem) {
        client.subscribe(["hall"], quality: 1)
        notes.noteConnection()
    }

    func take(_ event: MosquittoClient.Event, _ client: MosquittoClient) throws(BrokerProblem) {
        if case .message(let message) = event { notes.note(message) }
    }

    func feed(_ client: MosquittoClient) {}
    func leave(_ client: MosquittoClient, exchange: (_ seconds: Double) throws(BrokerProblem) -> Void) {}
    func lose(_ problem: BrokerProblem) { notes.note(problem) }
    func tell(_ problem: BrokerProblem, retryingIn seconds: Double) {}
    func tellMended() {}
}

@Suite(.enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"), .timeLimit(.minutes(10)))
struct CrowdedUserTests {
    @Test("a user who has no room for long is disconnected in order, and gets what came meanwhile")
    func crowded() async throws {
        let broker = try Mosquitto()
        let running = try await broker.start()
        let notes = Notes()
        let wake = try WakeDescriptor()
        let connection = BrokerConnection(wake: wake, longestCrowd: .milliseconds(100))
        let settings = MQTTSettings(
            broker: try BrokerAddress("mqtt://127.0.0.1:\(broker.port)"), host: "pi", outboxFile: "/nowhere")
        let login = settings.login(client: "crowded")
        try connection.start { CrowdedUser(login, notes) }
        try await running.waitUntil("it is disconnected") { $0.errors.contains("Received DISCONNECT from crowded") }
        #expect(running.errors.contains("Received SUBSCRIBE from crowded"))
        for number in 1...3 { try await broker.publish("hall", "\(number)") }
        #expect(notes.connections == 1 && notes.messages == [], "it stays away until there is room")
        notes.makeRoom()
        wake.wake()
        try await waitUntil("it has the messages") { notes.messages == ["1", "2", "3"] }
        #expect(notes.connections == 2)
        #expect(notes.problems == [])
        await connection.close(within: .seconds(5))
        _ = try await running.stop()
    }
}
