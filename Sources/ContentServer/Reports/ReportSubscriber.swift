import Broker
import CurationStore
package import Logging
import Platform
import Text

/// Takes the reports that devices publish at a broker, as if they were posted.
package struct ReportSubscriber: Sendable {
    private let broker: ReportBroker
    private let topics: ReportTopics
    private let intake: ReportIntake
    private let inbox = ReportInbox()
    private let logger: Logger

    /// How long the database may be busy at the end. With the last attempt and the end of the connection it is less
    /// than what systemd waits for (`TimeoutStopSec`).
    private static let farewell = Duration.seconds(10)

    package init(_ broker: ReportBroker, _ services: CuratorServices, logger: Logger) {
        self.broker = broker
        self.logger = logger
        topics = ReportTopics(prefix: broker.topicPrefix)
        intake = ReportIntake(services)
    }

    /// Goes on until its task is cancelled, and stores what has come until then.
    package func run() async throws {
        let wake = try WakeDescriptor()
        let connection = BrokerConnection(wake: wake)
        let (login, topics, intake, inbox, logger) = (broker.login, topics, intake, inbox, logger)
        try connection.start { ReportListener(login, topics, inbox, logger) }
        let storage = ReportStorage(inbox, topics, logger: logger, hasRoom: { wake.wake() }) {
            (json, host, isLast) async throws(StoreError) in
            try await intake.take(json, from: host, isLast: isLast)
        }
        // In a task that nobody cancels: the broker does not have these reports any more.
        let storing = Task { await storage.run(on: ContinuousClock()) }
        await untilCancelled()
        // First: what is still read meanwhile is put into the inbox.
        await connection.close(within: .seconds(5))
        inbox.end()
        let deadline = Deadline(after: Self.farewell) { inbox.giveUp() }
        let lost = await storing.value
        deadline.cancel()
        if lost > 0 { logger.error("\(counted(lost, "report")) of devices could not be stored until the end") }
    }
}
