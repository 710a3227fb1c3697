import Broker
import Logging

/// Hears the devices' reports at the broker, on the connection's thread.
final class ReportListener: BrokerUser {
    private let login: BrokerLogin
    private let topics: ReportTopics
    private let inbox: ReportInbox
    private let logger: Logger
    /// What the broker has kept for this server is given up.
    private var startsAnew = false
    private var hasTold = false

    init(_ login: BrokerLogin, _ topics: ReportTopics, _ inbox: ReportInbox, _ logger: Logger) {
        self.login = login
        self.topics = topics
        self.inbox = inbox
        self.logger = logger
    }

    func client() throws(BrokerProblem) -> MosquittoClient {
        var kind = MosquittoClient.Kind()
        kind.isLasting = !startsAnew
        kind.largestMessage = ReportIntake.largest
        // So that there is room for each.
        kind.packetsAtOnce = 1
        return try MosquittoClient(login, kind)
    }

    func greet(_ client: MosquittoClient) throws(BrokerProblem) {
        if startsAnew {
            startsAnew = false
            throw BrokerProblem("\(login.broker) had a message that is too large: reports that it kept are given up")
        }
        client.subscribe([topics.pattern], quality: 1)
    }

    func take(_ event: MosquittoClient.Event, _ client: MosquittoClient) throws(BrokerProblem) {
        switch event {
        case .message(let message):
            inbox.put(message)
        case .subscribed(isGranted: true):
            if !hasTold { logger.info("reports are taken from \(topics.pattern) at \(login.broker)") }
            hasTold = true
        case .subscribed(isGranted: false):
            throw BrokerProblem("\(login.broker) does not let this server read \(topics.pattern): allow it there")
        case .answered, .published: break
        }
    }

    var hasRoom: Bool { inbox.hasRoom }

    func feed(_ client: MosquittoClient) {}

    func leave(_ client: MosquittoClient, exchange: (_ seconds: Double) throws(BrokerProblem) -> Void) {}

    func lose(_ problem: BrokerProblem) {
        if problem.isExcess { startsAnew = true }
    }

    func tell(_ problem: BrokerProblem, retryingIn seconds: Double) {
        logger.warning("reports over MQTT: \(problem)")
    }

    func tellMended() {
        logger.info("reports over MQTT: \(login.broker) is there again")
    }
}
