import Platform

/// A connection of a command: reads messages below some topics, and may publish a message and wait for its
/// acknowledgement.
package struct BrokerVisit: Sendable {
    package var login: BrokerLogin
    package var subscriptions: [String]
    /// Bytes. Larger messages are ignored.
    package var largestMessage = 128 << 10
    /// The message to publish.
    package var relay = PublicationRelay()
    /// Receives each message, on the connection's thread.
    package var take: @Sendable (_ topic: String, _ payload: [UInt8]) -> Void
    /// Receives problems, and the numbers of acknowledged messages.
    package var tell: @Sendable (BrokerVisitNews) -> Void

    package init(
        _ login: BrokerLogin, subscriptions: [String], tell: @escaping @Sendable (BrokerVisitNews) -> Void,
        take: @escaping @Sendable (_ topic: String, _ payload: [UInt8]) -> Void
    ) {
        self.login = login
        self.subscriptions = subscriptions
        self.tell = tell
        self.take = take
    }

    /// Stays connected while `body` runs.
    package func during<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let connection = BrokerConnection(wake: try WakeDescriptor())
        relay.connect { connection.wake.wake() }
        try connection.start { BrokerVisitor(self) }
        do {
            let value = try await body()
            await connection.close(within: .seconds(2))
            return value
        } catch {
            await connection.close(within: .seconds(2))
            throw error
        }
    }
}

package enum BrokerVisitNews: Sendable {
    /// The broker has accepted the connection and the subscriptions.
    case connected
    case problem(BrokerProblem)
    /// The broker has acknowledged the message with this number.
    case arrived(UInt64)
    /// The message can never be sent.
    case unsendable
}

/// Runs on the connection's thread.
private final class BrokerVisitor: BrokerUser {
    private let visit: BrokerVisit
    private var underWay: (identifier: Int32, number: UInt64)?

    init(_ visit: BrokerVisit) {
        self.visit = visit
    }

    func client() throws(BrokerProblem) -> MosquittoClient {
        underWay = nil
        var kind = MosquittoClient.Kind()
        kind.largestMessage = visit.largestMessage
        return try MosquittoClient(visit.login, kind)
    }

    func greet(_ client: MosquittoClient) throws(BrokerProblem) {
        if !visit.subscriptions.isEmpty { client.subscribe(visit.subscriptions) }
    }

    func take(_ event: MosquittoClient.Event, _ client: MosquittoClient) throws(BrokerProblem) {
        switch event {
        case .message(let message):
            if let payload = message.payload { visit.take(message.topic, payload) }
        case .subscribed(isGranted: true): visit.tell(.connected)
        case .subscribed(isGranted: false):
            throw BrokerProblem(
                "\(visit.login.broker) does not let this program read \(visit.subscriptions.joined(separator: ", ")): "
                    + "allow it there")
        case .published(let identifier):
            guard let sent = underWay, sent.identifier == identifier else { break }
            underWay = nil
            visit.relay.acknowledge(sent.number)
            visit.tell(.arrived(sent.number))
        case .answered: break
        }
    }

    func feed(_ client: MosquittoClient) throws(BrokerProblem) {
        guard underWay == nil, let (number, publication) = visit.relay.next() else { return }
        switch client.publish(publication, quality: 1) {
        case .success(let identifier): underWay = (identifier, number)
        case .failure(.unsendable): visit.tell(.unsendable)
        case .failure(.lost(let code)): throw client.problem(code)
        }
    }

    func leave(
        _ client: MosquittoClient, exchange: (_ seconds: Double) throws(BrokerProblem) -> Void
    ) throws(BrokerProblem) {}

    func lose(_ problem: BrokerProblem) {
        visit.relay.rewind()
    }

    func tell(_ problem: BrokerProblem, retryingIn seconds: Double) {
        visit.tell(.problem(problem))
    }

    func tellMended() {}
}
