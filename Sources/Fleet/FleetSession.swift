package import Broker
package import FleetFormat
import Platform
import Settings
import Text

/// The resolver's connection to a broker. Called on the connection's thread.
final class FleetSession: BrokerUser {
    private let login: BrokerLogin
    private let tell: @Sendable (String) -> Void
    private var resolver: FleetResolver
    /// Where outputs read; nil if there are none.
    private let hub: FleetHub?
    private var lastShown = -Double.infinity
    private var clock: ClockAnswers
    private var sent = Deliveries()
    private var hasTold = false
    private var toldUnreadable = 0

    /// Seconds between two snapshots for the outputs.
    private static let pace = 1.0

    init(_ login: BrokerLogin, resolver: FleetResolver, hub: FleetHub?, tell: @escaping @Sendable (String) -> Void) {
        self.login = login
        self.resolver = resolver
        self.hub = hub
        self.tell = tell
        clock = ClockAnswers(resolver.topics, resolver: resolver.name)
    }

    private func show(isConnected: Bool = true) {
        guard let hub, !isConnected || now - lastShown >= Self.pace else { return }
        lastShown = now
        var snapshot = resolver.snapshot(at: now, time: WallClock.now)
        snapshot.isConnected = isConnected
        hub.publish(snapshot)
    }

    private var now: Double { SteadyClock.elapsed / .seconds(1) }

    func client() throws(BrokerProblem) -> MosquittoClient {
        sent = Deliveries()
        var kind = MosquittoClient.Kind()
        kind.will = Publication(
            topic: resolver.topics.resolver(resolver.name), payload: ResolverPresence(.offline).text, isRetained: true)
        kind.largestMessage = FleetTopics.largestMessage
        return try MosquittoClient(login, kind)
    }

    func greet(_ client: MosquittoClient) throws(BrokerProblem) {
        resolver.connect(at: now)
        client.subscribe(resolver.topics.subscriptions)
    }

    func take(_ event: MosquittoClient.Event, _ client: MosquittoClient) throws(BrokerProblem) {
        switch event {
        case .message(let message):
            if clock.take(message.topic, message.payload ?? [], at: WallClock.now) { return }
            resolver.take(message.topic, message.payload, at: now)
        case .subscribed(isGranted: true):
            if !hasTold {
                hasTold = true
                tell("rooms are resolved from \(resolver.topics.prefix)/+/levels at \(login.broker)")
            }
        case .subscribed(isGranted: false):
            throw BrokerProblem(
                "\(login.broker) does not let this program read below \(resolver.topics.prefix): allow it there")
        case .published(let identifier): sent.settle(identifier)
        case .answered: break
        }
    }

    func feed(_ client: MosquittoClient) throws(BrokerProblem) {
        resolver.resolve(at: now)
        for line in resolver.takeNotices() { tell(line) }
        if let line = clock.look(at: now, isSynchronised: { KernelClock.isSynchronised }) { tell(line) }
        if resolver.unreadable > toldUnreadable, let last = resolver.lastUnreadable {
            // Only from time to time, so that nobody can fill the log by publishing nonsense.
            if toldUnreadable == 0 || resolver.unreadable >= toldUnreadable * 10 {
                tell("\(counted(resolver.unreadable, "message")) cannot be read; the last: \(last)")
                toldUnreadable = resolver.unreadable
            }
        }
        try send(client)
        show()
    }

    private func send(_ client: MosquittoClient) throws(BrokerProblem) {
        while !client.wantsToWrite, let answer = clock.next(at: WallClock.now) {
            if case .failure(.lost(let code)) = client.publish(answer, quality: 0) { throw client.problem(code) }
        }
        try sent.send(client) { resolver.nextPublication() }
    }

    func leave(
        _ client: MosquittoClient, exchange: (_ seconds: Double) throws(BrokerProblem) -> Void
    ) throws(BrokerProblem) {
        for topic in [resolver.topics.hearing(resolver.name), resolver.topics.resolver(resolver.name)] {
            let last = Publication(topic: topic, payload: "", isRetained: true)
            try? sent.publish(last, client)
        }
        let deadline = ContinuousClock.now + .seconds(2)
        while !sent.isEmpty, .now < deadline { try exchange(0.1) }
    }

    func lose(_ problem: BrokerProblem) { show(isConnected: false) }

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
    private let hub: FleetHub?
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - announcements: what to publish for Home Assistant; nil for nothing.
    ///   - shard: the part of the beacons that it works on; nil for all.
    ///   - hub: where outputs read; nil if there are none.
    ///   - tell: called with each message for people.
    package init(
        _ login: BrokerLogin, prefix: String, name: String, announcements: RoomAnnouncements? = nil,
        shard: FleetShard? = nil, hub: FleetHub? = nil, tell: @escaping @Sendable (String) -> Void
    ) {
        self.login = login
        self.hub = hub
        var resolver = FleetResolver(prefix: prefix, name: name, shard: shard)
        resolver.announcements = announcements
        self.resolver = resolver
        self.tell = tell
    }

    package func run() async throws {
        let connection = BrokerConnection(wake: try WakeDescriptor())
        try connection.start { [login, resolver, hub, tell] in
            FleetSession(login, resolver: resolver, hub: hub, tell: tell)
        }
        await untilCancelled()
        await connection.close(within: .seconds(5))
    }
}
