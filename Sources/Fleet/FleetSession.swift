package import Broker
import FleetFormat
import Platform
import Settings

/// The resolver at a broker, on the connection's thread.
final class FleetSession: BrokerUser {
    private let login: BrokerLogin
    private let tell: @Sendable (String) -> Void
    private var resolver: FleetResolver
    /// Messages under way, by identifier.
    private var sent: Set<Int32> = []
    private var hasTold = false
    private var toldUnreadable = 0

    private static let mostUnderWay = 100

    init(_ login: BrokerLogin, resolver: FleetResolver, tell: @escaping @Sendable (String) -> Void) {
        self.login = login
        self.resolver = resolver
        self.tell = tell
    }

    private var now: Double { SteadyClock.elapsed / .seconds(1) }

    func client() throws(BrokerProblem) -> MosquittoClient {
        sent = []
        var kind = MosquittoClient.Kind()
        kind.will = Publication(topic: resolver.topics.resolver(resolver.name), payload: "offline", isRetained: true)
        kind.largestMessage = 128 << 10
        return try MosquittoClient(login, kind)
    }

    func greet(_ client: MosquittoClient) throws(BrokerProblem) {
        resolver.connect(at: now)
        client.subscribe(resolver.topics.subscriptions)
    }

    func take(_ event: MosquittoClient.Event, _ client: MosquittoClient) throws(BrokerProblem) {
        switch event {
        case .message(let message):
            resolver.take(message.topic, message.payload ?? [], at: now)
        case .subscribed(isGranted: true):
            if !hasTold {
                hasTold = true
                tell("rooms are resolved from \(resolver.topics.prefix)/+/levels at \(login.broker)")
            }
        case .subscribed(isGranted: false):
            throw BrokerProblem("\(login.broker) does not let this program read below \(resolver.topics.prefix): allow it there")
        case .published(let identifier): sent.remove(identifier)
        case .answered: break
        }
    }

    func feed(_ client: MosquittoClient) throws(BrokerProblem) {
        resolver.resolve(at: now)
        if resolver.unreadable > toldUnreadable, let last = resolver.lastUnreadable {
            // Once in a while: whoever publishes nonsense could fill the log.
            if toldUnreadable == 0 || resolver.unreadable >= toldUnreadable * 10 {
                tell("\(resolver.unreadable) messages cannot be read; the last: \(last)")
                toldUnreadable = resolver.unreadable
            }
        }
        try send(client)
    }

    private func send(_ client: MosquittoClient) throws(BrokerProblem) {
        while !client.wantsToWrite, sent.count < Self.mostUnderWay, let publication = resolver.nextPublication() {
            switch client.publish(publication, quality: 1) {
            case .success(let identifier): sent.insert(identifier)
            case .failure(.unsendable): break
            case .failure(.lost(let code)): throw client.problem(code)
            }
        }
    }

    func leave(
        _ client: MosquittoClient, exchange: (_ seconds: Double) throws(BrokerProblem) -> Void
    ) throws(BrokerProblem) {
        let last = Publication(topic: resolver.topics.resolver(resolver.name), payload: "", isRetained: true)
        if case .success(let identifier) = client.publish(last, quality: 1) { sent.insert(identifier) }
        let deadline = ContinuousClock.now + .seconds(2)
        while !sent.isEmpty, .now < deadline { try exchange(0.1) }
    }

    func lose(_ problem: BrokerProblem) {}

    func tell(_ problem: BrokerProblem, retryingIn seconds: Double) {
        tell("\(problem); next attempt in \(Int(seconds.rounded(.up))) s")
    }

    func tellMended() {
        tell("\(login.broker) is there again")
    }
}

/// Resolves rooms at a broker until it is cancelled.
package struct FleetService: Sendable {
    private let login: BrokerLogin
    private let resolver: FleetResolver
    private let tell: @Sendable (String) -> Void

    /// - Parameter tell: is given what people should know.
    package init(_ login: BrokerLogin, prefix: String, name: String, tell: @escaping @Sendable (String) -> Void) {
        self.login = login
        resolver = FleetResolver(prefix: prefix, name: name)
        self.tell = tell
    }

    package func run() async throws {
        let connection = BrokerConnection(wake: try WakeDescriptor())
        try connection.start { [login, resolver, tell] in FleetSession(login, resolver: resolver, tell: tell) }
        await untilCancelled()
        await connection.close(within: .seconds(5))
    }
}
