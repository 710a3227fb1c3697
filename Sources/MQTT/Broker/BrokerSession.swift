import Events
import Glibc
import Platform
import Settings
import Synchronization

/// The work of the connection's thread: connect, publish, wait, and reconnect.
final class BrokerSession {
    private let connection: BrokerConnection
    private let settings: MQTTSettings
    private let queue: PublishQueue
    private let started = WallClock.now
    private var troubles = BrokerProblems()
    private var pause = ReconnectPause()
    /// When the broker accepted this connection.
    private var answered: ContinuousClock.Instant?
    /// Unacknowledged entries of the outbox, by message identifier.
    private var events: [Int32: UInt64] = [:]
    /// Unacknowledged states, by message identifier.
    private var states: Set<Int32> = []
    /// The identifier of the message that says `online`. The broker sends its retained messages before it acknowledges
    /// this one.
    private var greeting: Int32?
    private var isGreeted = false

    /// The time-out of connecting, including TLS and the broker's answer.
    private static let timeout = Duration.seconds(10)
    /// How long to send the remaining events at the end.
    private static let farewell = Duration.seconds(2)
    private static let mostStates = 100

    init(_ connection: BrokerConnection) {
        self.connection = connection
        settings = connection.settings
        queue = connection.queue
    }

    private var isClosing: Bool { connection.isClosing.load(ordering: .sequentiallyConsistent) }

    func run() {
        blockPipeSignal()
        while !isClosing {
            do throws(BrokerProblem) {
                try stayConnected()
            } catch {
                queue.withState { state in
                    state.outbox.rewind()
                    state.isConnected = false
                }
                guard !isClosing else { return }
                let pause = pause.next(answeredFor: answered.map { (ContinuousClock.now - $0) / .seconds(1) })
                if troubles.isNews(error) {
                    connection.hub.publish(.trouble(part: "mqtt", problem: "\(error)", retry: pause))
                }
                wait(until: .now + .seconds(pause))
            }
        }
    }

    /// OpenSSL writes without MSG_NOSIGNAL.
    private func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    // MARK: - One connection

    /// Returns if the connection was closed on purpose.
    private func stayConnected() throws(BrokerProblem) {
        let topics = queue.topics
        answered = nil
        let client = try MosquittoClient(
            settings: settings, identifier: "beacond-\(topics.host)",
            will: Publication(topic: topics.status, payload: "offline", isRetained: true))
        (events, states, greeting, isGreeted) = ([:], [], nil, false)
        try client.connect(settings.broker)
        guard !isClosing else { return }
        let began = ContinuousClock.now
        while true {
            try exchange(client, within: 1)
            for event in client.takeEvents() {
                switch event {
                case .answered(let code):
                    if let refusal = MosquittoClient.refusal(code, settings) { throw refusal }
                    answered = .now
                    try greet(client)
                case .published(let identifier): acknowledge(identifier, client)
                case .found(let topic): queue.withState { $0.states.found(topic) }
                }
            }
            if let answered {
                if ContinuousClock.now - answered > .seconds(ReconnectPause.stableAfter), troubles.settle() {
                    connection.hub.publish(.mended(part: "mqtt"))
                }
                try feed(client)
                settle()
            } else if ContinuousClock.now - began > Self.timeout {
                throw BrokerProblem("\(settings.broker) does not answer within 10 s: is it an MQTT broker?")
            }
            if isClosing {
                if answered != nil { try leave(client) }
                return
            }
        }
    }

    private func greet(_ client: MosquittoClient) throws(BrokerProblem) {
        let (started, version) = (started, connection.version)
        let patterns = queue.withState { state in
            state.isConnected = true
            state.outbox.rewind()
            state.states.connect(
                version: version, started: started, connected: WallClock.now, waiting: state.outbox.count,
                dropped: state.outbox.dropped)
            return state.states.subscriptions
        }
        client.subscribe(patterns)
        greeting = try publish(
            Publication(topic: queue.topics.status, payload: "online", isRetained: true), quality: 1, client)
    }

    private func acknowledge(_ identifier: Int32, _ client: MosquittoClient) {
        states.remove(identifier)
        if identifier == greeting {
            greeting = nil
            isGreeted = true
            client.unsubscribe(queue.withState { $0.states.subscriptions })
        }
        guard let sequence = events.removeValue(forKey: identifier) else { return }
        queue.withState { $0.outbox.acknowledge(sequence) }
    }

    /// Records on disk which events the broker has acknowledged.
    private func settle() {
        queue.withState { $0.file.settle($0.outbox) }
    }

    /// Passes the next messages to libmosquitto as long as the kernel accepts them.
    private func feed(_ client: MosquittoClient, hasStates: Bool = true) throws(BrokerProblem) {
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
        case .failure(.lost(let code)): throw client.problem(code, settings.broker)
        }
    }

    /// Sends the remaining events, then `offline`.
    private func leave(_ client: MosquittoClient) throws(BrokerProblem) {
        let deadline = ContinuousClock.now + Self.farewell
        while queue.withState({ $0.outbox.count }) > 0, .now < deadline {
            try feed(client, hasStates: false)
            try exchange(client, within: 0.1)
            take(client)
        }
        let last = try publish(
            Publication(topic: queue.topics.status, payload: "offline", isRetained: true), quality: 1, client)
        if let last { states.insert(last) }
        while let last, states.contains(last), .now < deadline + .seconds(1) {
            try exchange(client, within: 0.1)
            take(client)
        }
        client.disconnect()
        _ = client.write()
    }

    private func take(_ client: MosquittoClient) {
        for event in client.takeEvents() {
            if case .published(let identifier) = event { acknowledge(identifier, client) }
        }
        settle()
    }

    // MARK: - Waiting

    /// Waits for the broker or for something to publish, then reads and writes.
    private func exchange(_ client: MosquittoClient, within seconds: Double) throws(BrokerProblem) {
        let descriptor = client.descriptor
        guard descriptor >= 0 else { throw BrokerProblem("\(settings.broker) ended the connection") }
        var watched = [
            pollfd(fd: descriptor, events: Int16(POLLIN) | (client.wantsToWrite ? Int16(POLLOUT) : 0), revents: 0),
            pollfd(fd: queue.wake.number, events: Int16(POLLIN), revents: 0),
        ]
        poll(&watched, 2, Int32(seconds * 1000))
        queue.wake.reset()
        let (readable, writable) = (Int16(POLLIN) | Int16(POLLERR) | Int16(POLLHUP), Int16(POLLOUT))
        if watched[0].revents & writable != 0 { try check(client.write(), client) }
        if watched[0].revents & readable != 0 { try check(client.read(), client) }
        try check(client.tend(), client)
    }

    private func check(_ code: Int32, _ client: MosquittoClient) throws(BrokerProblem) {
        guard code != 0 else { return }
        // A broker sends a refusal before it closes the connection.
        for case .answered(let answer) in client.takeEvents() {
            if let refusal = MosquittoClient.refusal(answer, settings) { throw refusal }
        }
        throw client.problem(code, settings.broker)
    }

    private func wait(until deadline: ContinuousClock.Instant) {
        while !isClosing, ContinuousClock.now < deadline {
            var watched = pollfd(fd: queue.wake.number, events: Int16(POLLIN), revents: 0)
            let rest = (deadline - .now) / .milliseconds(1)
            poll(&watched, 1, Int32(max(0, min(rest + 1, 60_000))))
            queue.wake.reset()
        }
    }
}
