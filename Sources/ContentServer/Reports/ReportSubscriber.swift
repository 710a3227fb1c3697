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
        let (login, topics, inbox, logger) = (broker.login, topics, inbox, logger)
        try connection.start { ReportListener(login, topics, inbox, logger) }
        // In a task that nobody cancels: the broker does not have these reports any more.
        let storing = Task { await store(waking: wake) }
        await withTaskCancellationHandler {
            await storing.value
        } onCancel: {
            inbox.end()
        }
        await connection.close(within: .seconds(5))
        // What was still read meanwhile.
        await Task { await store(waking: wake) }.value
    }

    private func store(waking wake: WakeDescriptor) async {
        let clock = ContinuousClock()
        let start = clock.now
        var judge = ReportJudge(topics)
        var limit = LogLimit()
        func note(_ problem: String, _ topic: String) {
            let now = (clock.now - start) / .seconds(1)
            let name = printable(String(topic.prefix(80)))
            if let line = limit.line("report at \(name): \(problem)", at: now) { logger.warning("\(line)") }
        }
        while let message = await inbox.next() {
            // There is room for another one.
            wake.wake()
            let now = (clock.now - start) / .seconds(1)
            let verdict = judge.judge(
                topic: message.topic, payload: message.payload, isRetained: message.isRetained, at: now)
            guard case .take(let host, let json) = verdict else {
                if case .refuse(let problem) = verdict { note(problem, message.topic) }
                continue
            }
            var isDone = false
            while !isDone {
                do throws(StoreError) {
                    try await intake.take(json, from: host)
                    judge.hasStored()
                    isDone = true
                } catch {
                    switch judge.failure(error) {
                    case .refuse(let problem):
                        note(problem, message.topic)
                        isDone = true
                    case .again(let seconds, let problem):
                        note(problem, message.topic)
                        isDone = await !isWaiting(seconds)
                    }
                }
            }
        }
    }

    /// False if the server ends meanwhile.
    private func isWaiting(_ seconds: Double) async -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end, !inbox.isOver {
            guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { return false }
        }
        return !inbox.isOver
    }
}
