import Glibc
import Platform

/// The work of the connection's thread: connect, wait, read and write, and connect again.
final class BrokerLoop {
    private let connection: BrokerConnection
    private let user: any BrokerUser
    private var troubles = BrokerProblems()
    private var pause = ReconnectPause()
    private var clash = NameClash()
    /// The index of the node that is tried, which increases with each failure, and the number of nodes.
    private var node = 0
    private var nodes = 1
    /// Since when the user has no room for messages of the broker; nil if it has.
    private var crowded: ContinuousClock.Instant?
    private let longestCrowd: Duration
    /// When the broker accepted this connection.
    private var answered: ContinuousClock.Instant?

    /// The time-out of connecting, including TLS and the broker's answer.
    private static let timeout = Duration.seconds(10)
    /// Seconds before another node of the broker is tried.
    private static let pauseBetweenNodes = 1.0

    init(_ connection: BrokerConnection, _ user: any BrokerUser, longestCrowd: Duration) {
        self.connection = connection
        self.user = user
        self.longestCrowd = longestCrowd
    }

    func run() {
        blockPipeSignal()
        while !connection.isClosing {
            do throws(BrokerProblem) {
                try stayConnected()
                while !connection.isClosing, !user.hasRoom { wait(until: .now + .seconds(1)) }
            } catch {
                user.lose(error)
                guard !connection.isClosing else { return }
                node = (node + 1) % nodes
                // The node that was connected last may be the only one that has failed.
                let pause = node == 0 ? pauseAfterAll() : Self.pauseBetweenNodes
                if troubles.isNews(error) { user.tell(error, retryingIn: pause) }
                wait(until: .now + .seconds(pause))
            }
        }
    }

    private func pauseAfterAll() -> Double { pause.next(answeredFor: lasted) }

    /// Seconds since the broker accepted this connection; nil if it has not.
    private var lasted: Double? { answered.map { (ContinuousClock.now - $0) / .seconds(1) } }

    /// OpenSSL writes without MSG_NOSIGNAL.
    private func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    // MARK: - One connection

    /// Returns if the connection was closed on purpose: at the end, or because the user has no room.
    private func stayConnected() throws(BrokerProblem) {
        (answered, crowded) = (nil, nil)
        let client = try user.client()
        nodes = client.nodeCount
        do throws(BrokerProblem) {
            try stayConnected(client)
        } catch {
            let isClash = clash.end(lasted: lasted, isLoss: error.isLoss)
            if error.isLoss, answered == nil { throw client.lossBeforeAnswer }
            throw isClash ? client.nameClash : error
        }
    }

    private func stayConnected(_ client: MosquittoClient) throws(BrokerProblem) {
        try client.connect(to: node)
        guard !connection.isClosing else { return }
        let began = ContinuousClock.now
        while true {
            try exchange(client, within: 1)
            for event in client.takeEvents() {
                if case .answered(let code) = event {
                    if let refusal = client.refusal(code) { throw refusal }
                    answered = .now
                    try user.greet(client)
                } else {
                    try user.take(event, client)
                }
            }
            if let answered {
                if ContinuousClock.now - answered > .seconds(ReconnectPause.stableAfter), troubles.settle() {
                    user.tellMended()
                }
                try user.feed(client)
            } else if ContinuousClock.now - began > Self.timeout {
                throw BrokerProblem("\(client.broker) does not answer within 10 s: is it an MQTT broker?")
            }
            if hasBeenCrowded() {
                client.disconnect()
                return
            }
            if connection.isClosing {
                if answered != nil {
                    try user.leave(client) { (seconds) throws(BrokerProblem) in
                        try exchange(client, within: seconds)
                        for event in client.takeEvents() { try user.take(event, client) }
                    }
                    client.disconnect()
                }
                return
            }
        }
    }

    /// Whether the user has had no room for so long that the connection must end. What is not read lacks the broker's
    /// answers to pings, too: the broker would seem to have failed.
    private func hasBeenCrowded() -> Bool {
        guard answered != nil, !user.hasRoom else {
            crowded = nil
            return false
        }
        let since = crowded ?? .now
        crowded = since
        return ContinuousClock.now - since > longestCrowd
    }

    // MARK: - Waiting

    /// Waits for the broker or for a wake-up, then reads and writes.
    private func exchange(_ client: MosquittoClient, within seconds: Double) throws(BrokerProblem) {
        let descriptor = client.descriptor
        guard descriptor >= 0 else { throw client.loss }
        // The broker's answer is always read.
        let mayRead = answered == nil || user.hasRoom
        let wanted = (mayRead ? Int16(POLLIN) : 0) | (client.wantsToWrite ? Int16(POLLOUT) : 0)
        var watched = [
            pollfd(fd: descriptor, events: wanted, revents: 0),
            pollfd(fd: connection.wake.number, events: Int16(POLLIN), revents: 0),
        ]
        // More may have been read from the kernel than was processed, because TLS comes in records.
        let isMore = mayRead && client.mayHaveMore
        poll(&watched, 2, isMore ? 0 : Int32(seconds * 1000))
        connection.wake.reset()
        let ended = Int16(POLLERR) | Int16(POLLHUP)
        let (readable, writable) = (Int16(POLLIN) | ended, Int16(POLLOUT))
        if answered == nil, !isMore, watched[0].revents & ended != 0, let problem = client.endBeforeAnswer() {
            throw problem
        }
        // If the broker has ended the connection, what it sent last may say why. Writing would lose that.
        if watched[0].revents & writable != 0, watched[0].revents & ended == 0 { try check(client.write(), client) }
        if isMore || watched[0].revents & readable != 0 { try check(client.read(), client) }
        if let problem = client.excess { throw problem }
        try check(client.tend(), client)
    }

    private func check(_ code: Int32, _ client: MosquittoClient) throws(BrokerProblem) {
        guard code != 0 else { return }
        // Read now, while errno belongs to the call: later calls may change it.
        let problem = client.problem(code)
        for event in client.takeEvents() {
            if case .answered(let answer) = event {
                // A broker sends a refusal before it closes the connection.
                if let refusal = client.refusal(answer) { throw refusal }
            } else {
                // It was acknowledged, so it does not come again.
                try user.take(event, client)
            }
        }
        throw problem
    }

    private func wait(until deadline: ContinuousClock.Instant) {
        while !connection.isClosing, ContinuousClock.now < deadline {
            var watched = pollfd(fd: connection.wake.number, events: Int16(POLLIN), revents: 0)
            poll(&watched, 1, PollTimeout.milliseconds(until: deadline))
            connection.wake.reset()
        }
    }
}
