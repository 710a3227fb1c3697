import Broker
import Events
import FleetFormat
import Platform
import Settings

/// What the daemon publishes over its connection to the broker: events, reports of the device, states.
final class BrokerSession: BrokerUser {
    private let settings: MQTTSettings
    private let queue: PublishQueue
    private let hub: EventHub
    private let relay: PublicationRelay
    private let levels: PublicationMailbox
    private let clock: FleetClock
    /// Nil if there is no fleet.
    private let exchange: ClockExchange?
    private let version: String
    private let started = WallClock.now
    /// Unacknowledged entries of the outbox, by message identifier.
    private var events: [Int32: UInt64] = [:]
    /// Unacknowledged messages of the relay, by message identifier.
    private var relayed: [Int32: UInt64] = [:]
    /// Unacknowledged states, by message identifier.
    private var states: Set<Int32> = []
    /// The identifier of the message `online`. The broker sends its retained messages before it acknowledges this one.
    private var greeting: Int32?
    private var isGreeted = false
    private var levelsConnection = 0
    private var hasToldLeftOut = false

    /// The time limit for sending the remaining events at the end.
    private static let farewell = Duration.seconds(2)
    private static let mostStates = 100

    init(
        _ settings: MQTTSettings, queue: PublishQueue, hub: EventHub, relay: PublicationRelay,
        levels: PublicationMailbox,
        clock: FleetClock, version: String
    ) {
        self.settings = settings
        self.queue = queue
        self.hub = hub
        self.relay = relay
        self.levels = levels
        self.clock = clock
        exchange = settings.fleet.map { _ in
            ClockExchange(clock, prefix: Topics.prefix(settings.topicPrefix), host: queue.topics.host)
        }
        self.version = version
        relay.connect(waking: { queue.wake.wake() })
    }

    func client() throws(BrokerProblem) -> MosquittoClient {
        (events, relayed, states, greeting, isGreeted) = ([:], [:], [], nil, false)
        var kind = MosquittoClient.Kind()
        kind.will = Publication(topic: queue.topics.status, payload: "offline", isRetained: true)
        if exchange != nil { kind.largestMessage = ClockAnswer.mostBytes }
        return try MosquittoClient(settings.login(client: "beacond-\(queue.topics.host)"), kind)
    }

    func greet(_ client: MosquittoClient) throws(BrokerProblem) {
        let (started, version) = (started, version)
        let patterns = queue.withState { state in
            state.isConnected = true
            state.outbox.rewind()
            state.states.connect(
                version: version, started: started, connected: WallClock.now, waiting: state.outbox.count,
                dropped: state.outbox.dropped)
            return state.states.subscriptions
        }
        client.subscribe(patterns + (exchange?.subscriptions ?? []))
        exchange?.connect()
        greeting = try publish(
            Publication(topic: queue.topics.status, payload: "online", isRetained: true), quality: 1, client)
    }

    func take(_ event: MosquittoClient.Event, _ client: MosquittoClient) throws(BrokerProblem) {
        switch event {
        case .published(let identifier): acknowledge(identifier, client)
        case .message(let message):
            if exchange?.take(message.topic, message.payload) == true { return }
            // Otherwise only retained messages matter: new messages of other clients are ignored.
            if message.isRetained { queue.withState { $0.states.found(message.topic) } }
        case .answered, .subscribed: break
        }
    }

    private func acknowledge(_ identifier: Int32, _ client: MosquittoClient) {
        states.remove(identifier)
        if identifier == greeting {
            greeting = nil
            isGreeted = true
            levelsConnection = levels.connect(waking: { [queue] in queue.wake.wake() })
            tellLeftOut()
            client.unsubscribe(queue.withState { $0.states.subscriptions })
        }
        if let number = relayed.removeValue(forKey: identifier) { relay.acknowledge(number) }
        guard let sequence = events.removeValue(forKey: identifier) else { return }
        queue.withState { $0.outbox.acknowledge(sequence) }
    }

    /// Reports that the broker retains too much, and the end of that, which only a later connection shows.
    private func tellLeftOut() {
        let hasLeftOut = queue.withState { $0.states.hasLeftOut }
        defer { hasToldLeftOut = hasLeftOut }
        if hasLeftOut, !hasToldLeftOut {
            let problem =
                "the broker retains more than \(StrayTopics.most) messages below \(queue.topics.base) that are not of "
                + "this run: the others are left alone. See who publishes them, and remove them there"
            hub.publish(.trouble(part: Self.strayPart, problem: problem, retry: nil))
        } else if !hasLeftOut, hasToldLeftOut {
            hub.publish(.mended(part: Self.strayPart))
        }
    }

    static let strayPart = "mqtt retained"

    func feed(_ client: MosquittoClient) throws(BrokerProblem) {
        if let exchange {
            // Sent at once or never: the answer to a delayed question has no meaning.
            if let question = exchange.question() {
                let publication = Publication(topic: question.topic, payload: question.payload, isRetained: false)
                _ = try publish(publication, quality: 0, client)
            }
            queue.withState { $0.states.update(clock.state) }
        }
        try send(client)
        settle()
    }

    /// Records on disk which events the broker has acknowledged.
    private func settle() {
        queue.withState { $0.file.settle($0.outbox) }
    }

    /// Passes the next messages to libmosquitto as long as the kernel accepts them.
    private func send(_ client: MosquittoClient, hasStates: Bool = true) throws(BrokerProblem) {
        while !client.wantsToWrite {
            if let entry = queue.withState({ $0.outbox.next() }) {
                let publication = Publication(
                    topic: queue.topics.event(entry.kind), payload: entry.json, isRetained: false)
                // The outbox needs acknowledgements, so events never use QoS 0.
                if let identifier = try publish(publication, quality: 1, client) {
                    events[identifier] = entry.sequence
                } else {
                    queue.withState { $0.outbox.acknowledge(entry.sequence) }
                }
            } else if let (number, publication) = relay.next() {
                if let identifier = try publish(publication, quality: 1, client) {
                    relayed[identifier] = number
                } else {
                    relay.acknowledge(number)
                }
            } else if isGreeted, let publication = levels.next() {
                // The next second has other levels, so these are never sent again.
                _ = try publish(publication, quality: 0, client)
            } else if hasStates, isGreeted, states.count < Self.mostStates,
                let publication = queue.withState({ $0.states.next() })
            {
                let quality = settings.qualityOfService
                if let identifier = try publish(publication, quality: quality, client), quality > 0 {
                    states.insert(identifier)
                }
            } else {
                return
            }
        }
    }

    /// Returns nil if the message can never be sent.
    private func publish(
        _ publication: Publication, quality: Int, _ client: MosquittoClient
    ) throws(BrokerProblem) -> Int32? {
        switch client.publish(publication, quality: quality) {
        case .success(let identifier): return identifier
        case .failure(.unsendable): return nil
        case .failure(.lost(let code)): throw client.problem(code)
        }
    }

    // MARK: - The end

    /// Sends the remaining events, then `offline`.
    func leave(
        _ client: MosquittoClient, exchange: (_ seconds: Double) throws(BrokerProblem) -> Void
    ) throws(BrokerProblem) {
        levels.disconnect(levelsConnection)
        let deadline = ContinuousClock.now + Self.farewell
        while queue.withState({ $0.outbox.count }) > 0, .now < deadline {
            try send(client, hasStates: false)
            try exchange(0.1)
            settle()
        }
        let last = try publish(
            Publication(topic: queue.topics.status, payload: "offline", isRetained: true), quality: 1, client)
        if let last { states.insert(last) }
        while let last, states.contains(last), .now < deadline + .seconds(1) {
            try exchange(0.1)
            settle()
        }
    }

    func lose(_ problem: BrokerProblem) {
        relay.rewind()
        levels.disconnect(levelsConnection)
        queue.withState { state in
            state.outbox.rewind()
            state.isConnected = false
        }
    }

    func tell(_ problem: BrokerProblem, retryingIn seconds: Double) {
        hub.publish(.trouble(part: "mqtt", problem: "\(problem)", retry: seconds))
    }

    func tellMended() {
        hub.publish(.mended(part: "mqtt"))
    }
}
