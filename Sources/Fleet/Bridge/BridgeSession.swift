import Beacon
import Broker
import ESPHome
import FleetFormat
import Platform
import Settings

/// The bridge's connection to a broker. Called on the connection's thread.
final class BridgeSession: BrokerUser {
    private let login: BrokerLogin
    private let espresense: String?
    private let inbox: ProxyInbox
    private let tell: @Sendable (String) -> Void
    private let clock = FleetClock()
    private let exchange: ClockExchange
    private var bridge: FleetBridge
    /// The names that proxies report, by address.
    private var names: [String: String] = [:]
    /// When each proxy last sent something, by the monotonic clock.
    private var lastSightings: [String: Double] = [:]
    private var sent = Deliveries()
    private var hasTold = false

    /// Seconds without an advertisement after which a proxy counts as blind.
    private static let longestSilence = 60.0

    init(
        _ login: BrokerLogin, bridge: FleetBridge, espresense: String?, inbox: ProxyInbox,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.login = login
        self.bridge = bridge
        self.espresense = espresense
        self.inbox = inbox
        self.tell = tell
        exchange = ClockExchange(clock, prefix: bridge.topics.prefix, host: bridge.name)
    }

    private var now: Double { SteadyClock.elapsed / .seconds(1) }

    func client() throws(BrokerProblem) -> MosquittoClient {
        sent = Deliveries()
        var kind = MosquittoClient.Kind()
        kind.will = Publication(topic: bridge.topics.status(bridge.name), payload: "offline", isRetained: true)
        kind.largestMessage = max(ESPresenseMessage.mostBytes, ScannerMessage.mostBytes)
        return try MosquittoClient(login, kind)
    }

    func greet(_ client: MosquittoClient) throws(BrokerProblem) {
        bridge.connect()
        let nodes = espresense.map(ESPresenseMessage.subscriptions) ?? []
        client.subscribe(exchange.subscriptions + bridge.subscriptions + nodes)
        exchange.connect()
    }

    func take(_ event: MosquittoClient.Event, _ client: MosquittoClient) throws(BrokerProblem) {
        switch event {
        case .message(let message):
            if exchange.take(message.topic, message.payload) { return }
            // A larger message is not from an ESPresense node.
            guard let payload = message.payload else { return }
            bridge.take(message.topic, payload, at: WallClock.now, now: now)
        case .subscribed(isGranted: true):
            if !hasTold {
                hasTold = true
                tell("levels are published below \(bridge.topics.prefix) at \(login.broker)")
            }
        case .subscribed(isGranted: false):
            throw BrokerProblem("\(login.broker) does not let this program read: allow it there")
        case .published(let identifier): sent.settle(identifier)
        case .answered: break
        }
    }

    func feed(_ client: MosquittoClient) throws(BrokerProblem) {
        for entry in inbox.take() { take(entry) }
        for (address, last) in lastSightings where now - last > Self.longestSilence {
            lastSightings[address] = nil
            if let name = names[address] {
                bridge.blind(
                    name, "it sends no advertisements: does Home Assistant use it? A proxy serves one client",
                    at: WallClock.now)
            }
        }
        if let question = exchange.question() {
            try publish(Publication(topic: question.topic, payload: question.payload, isRetained: false), client)
        }
        let levels = bridge.tick(
            at: WallClock.now, now: now, clock: clock.state, isSettled: clock.correction.isSettled)
        for publication in levels { try publish(publication, client) }
        for notice in bridge.takeNotices() { tell(notice) }
        try send(client)
    }

    private func take(_ entry: ProxyInbox.Entry) {
        let address = entry.address
        switch entry.news {
        case .listening(let name, let version):
            names[address] = name
            lastSightings[address] = now
            bridge.begin(name, source: "esphome:\(address)", version: version, at: entry.time)
        case .sightings(let sightings):
            guard let name = names[address] else { return }
            lastSightings[address] = now
            bridge.begin(name, source: "esphome:\(address)", version: nil, at: entry.time)
            bridge.hear(name, sightings)
        case .advertisements:
            if names[address] != nil { lastSightings[address] = now }
        case .scanner(let isRunning):
            guard let name = names[address] else { return }
            if isRunning {
                bridge.begin(name, source: "esphome:\(address)", version: nil, at: entry.time)
            } else {
                lastSightings[address] = nil
                bridge.blind(name, "its scanner has stopped", at: entry.time)
            }
        case .lost(let problem, let seconds, let isNews):
            lastSightings[address] = nil
            if isNews {
                tell("\(address): \(problem); tried again in \(Int(seconds.rounded(.up))) s, and then more rarely")
            }
            if let name = names[address] { bridge.lose(name, problem.problem, at: entry.time) }
        }
    }

    /// Publishes a message that matters only now.
    private func publish(_ publication: Publication, _ client: MosquittoClient) throws(BrokerProblem) {
        if case .failure(.lost(let code)) = client.publish(publication, quality: 0) { throw client.problem(code) }
    }

    private func send(_ client: MosquittoClient) throws(BrokerProblem) {
        try sent.send(client) { bridge.nextState() }
    }

    func leave(
        _ client: MosquittoClient, exchange: (_ seconds: Double) throws(BrokerProblem) -> Void
    ) throws(BrokerProblem) {
        bridge.end()
        let deadline = ContinuousClock.now + .seconds(2)
        repeat {
            try send(client)
            try exchange(0.1)
        } while !(bridge.isSettled && sent.isEmpty) && .now < deadline
    }

    func lose(_ problem: BrokerProblem) {}

    func tell(_ problem: BrokerProblem, retryingIn seconds: Double) {
        tell("\(problem); next attempt in \(Int(seconds.rounded(.up))) s")
    }

    func tellMended() {
        tell("\(login.broker) is there again")
    }
}
