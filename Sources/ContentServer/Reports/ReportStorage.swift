import Broker
package import CurationStore
package import Logging
import Text

/// Stores what is in an inbox, in its order. What cannot be stored now is tried again.
package struct ReportStorage: Sendable {
    /// What a report is refused with.
    package typealias Failure = StoreError
    /// Stores a report.
    ///
    /// - isLast: nobody will send it again, and there is no time to wait until the store takes more.
    package typealias Take =
        @Sendable (_ json: [UInt8], _ host: String, _ isLast: Bool) async throws(Failure) -> Void

    private let inbox: ReportInbox
    private let topics: ReportTopics
    private let logger: Logger
    private let take: Take
    private let hasRoom: @Sendable () -> Void

    /// - Parameter hasRoom: called after each message that was taken out.
    package init(
        _ inbox: ReportInbox, _ topics: ReportTopics, logger: Logger, hasRoom: @escaping @Sendable () -> Void = {},
        take: @escaping Take
    ) {
        self.inbox = inbox
        self.topics = topics
        self.logger = logger
        self.hasRoom = hasRoom
        self.take = take
    }

    /// Goes on until the inbox has ended and is empty. For a task that nobody cancels.
    ///
    /// - Returns: how many reports are lost, because they could not be stored until the inbox was given up.
    package func run<C: Clock<Duration>>(on clock: C) async -> Int {
        let start = clock.now
        var judge = ReportJudge(topics)
        var limit = LogLimit()
        var lost = 0
        func now() -> Double { start.duration(to: clock.now) / .seconds(1) }
        func note(_ problem: String, _ topic: String) {
            let name = printable(String(topic.prefix(80)))
            if let line = limit.line("report at \(name): \(problem)", at: now()) { logger.warning("\(line)") }
        }
        while let message = await inbox.next() {
            hasRoom()
            let verdict = judge.judge(
                topic: message.topic, payload: message.payload, isRetained: message.isRetained, at: now())
            guard case .take(let host, let json) = verdict else {
                if case .refuse(let problem) = verdict { note(problem, message.topic) }
                continue
            }
            // An attempt may wait for 10 s, and there is no more time.
            guard lost == 0 else {
                lost += 1
                continue
            }
            var isDone = false
            while !isDone {
                do throws(Failure) {
                    try await take(json, host, inbox.isEnding)
                    judge.hasStored()
                    isDone = true
                } catch {
                    switch judge.failure(error) {
                    case .refuse(let problem):
                        note(problem, message.topic)
                        isDone = true
                    case .again(let seconds, let problem):
                        note(problem, message.topic)
                        if await !inbox.pause(for: .seconds(seconds), on: clock) {
                            lost += 1
                            isDone = true
                        }
                    }
                }
            }
        }
        return lost
    }
}
