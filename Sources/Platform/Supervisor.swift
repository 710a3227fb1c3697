/// Decides when a service that should run all the time is started, stopped, restarted and given up, and what is
/// reported about it.
///
/// Pure: every input comes with its instant, in seconds on any clock that only goes forward. The caller carries out
/// the returned actions in their order, and passes in their results. Two failures are the same if their `Problem` is
/// equal.
package struct Supervisor<Problem: Equatable & Sendable>: Sendable {
    package struct Rules: Sendable, Equatable {
        /// The longest pause between two attempts, in seconds.
        package var longestPause: Double
        /// Up to this share of a pause is added to it, so that services that failed together do not restart together.
        package var jitter = 0.0
        /// Seconds after which an attempt counts as a success: the next pause is the shortest again.
        package var stableAfter: Double
        /// Report every failure, not only one that differs from the last.
        package var reportsEveryFailure = false
        /// Failures in a row after which the service is given up; nil for never.
        package var attempts: Int?

        package init(longestPause: Double, stableAfter: Double) {
            self.longestPause = longestPause
            self.stableAfter = stableAfter
        }
    }

    /// A pause or a limit that the caller waits for. Only the latest one counts.
    package struct Alarm: Hashable, Sendable {
        private var number = 0

        fileprivate mutating func next() -> Alarm {
            number += 1
            return self
        }
    }

    package enum Input: Equatable, Sendable {
        /// The service is wanted.
        case start
        /// The attempt succeeded.
        case succeeded
        /// The attempt has ended without a failure: there is nothing more to do.
        case ended
        case failed(Problem)
        /// A missing resource may be available again. The next attempt starts after the shortest pause.
        case retry
        case due(Alarm)
        /// The service is not wanted any more.
        case stop
    }

    package enum Action: Equatable, Sendable {
        /// Start an attempt, and pass in its end.
        case start
        /// End the attempt, and pass in its end.
        case stop
        /// Pass in the alarm after this many seconds.
        case wait(Alarm, seconds: Double)
        /// A failure. The next attempt starts after `retry` seconds; nil for never.
        case report(Problem, retry: Double?)
        /// The reported problem does not exist any more.
        case reportRecovery
        /// The last action.
        case finish(Outcome)
    }

    package enum Outcome: Hashable, Sendable {
        case stopped
        case ended
        case givenUp
    }

    private enum Phase: Equatable {
        case idle
        case running(since: Double)
        /// The shortest pause, which nothing shortens: an attempt may itself cause an event that looks like a reason
        /// to try again.
        case pausing(rest: Double, mayRetry: Bool)
        case waiting
        case stopping
        case finished
    }

    private let rules: Rules
    private var phase = Phase.idle
    private var backoff: Backoff
    private var failures = 0
    /// The problem that was reported last and still exists.
    private var reported: Problem?
    private var alarm = Alarm()

    package init(rules: Rules) {
        self.rules = rules
        backoff = Backoff(longest: rules.longestPause, stableAfter: rules.stableAfter)
    }

    /// - Parameter random: from 0 to 1; decides about jitter.
    package mutating func handle(_ input: Input, at now: Double, random: Double = 0) -> [Action] {
        switch (phase, input) {
        case (.idle, .start): start(at: now)
        case (.idle, .stop), (.pausing, .stop), (.waiting, .stop): finish(.stopped)
        case (.running, .succeeded): recover()
        case (.running, .ended): finish(.ended)
        case (.running(let since), .failed(let problem)): fail(problem, after: now - since, random)
        case (.running, .stop): stop()
        case (.pausing(let rest, let mayRetry), .due(alarm)):
            rest > 0 && !mayRetry ? wait(rest) : start(at: now)
        case (.pausing(let rest, _), .retry): pause(rest: rest, mayRetry: true)
        case (.waiting, .due(alarm)), (.waiting, .retry): start(at: now)
        case (.stopping, .ended), (.stopping, .failed): finish(.stopped)
        default: []
        }
    }

    private mutating func start(at now: Double) -> [Action] {
        phase = .running(since: now)
        // An alarm of the previous pause does not count any more.
        _ = alarm.next()
        return [.start]
    }

    private mutating func stop() -> [Action] {
        phase = .stopping
        return [.stop]
    }

    private mutating func finish(_ outcome: Outcome) -> [Action] {
        phase = .finished
        return [.finish(outcome)]
    }

    private mutating func recover() -> [Action] {
        guard reported != nil else { return [] }
        reported = nil
        return [.reportRecovery]
    }

    private mutating func fail(_ problem: Problem, after lasted: Double, _ random: Double) -> [Action] {
        failures = lasted > rules.stableAfter ? 1 : failures + 1
        let isNews = rules.reportsEveryFailure || reported != problem
        reported = problem
        guard failures < rules.attempts ?? .max else {
            return [.report(problem, retry: nil)] + finish(.givenUp)
        }
        let nominal = backoff.next(after: lasted)
        let first = min(nominal, Backoff.shortest)
        phase = .pausing(rest: nominal * (1 + rules.jitter * random) - first, mayRetry: false)
        return (isNews ? [.report(problem, retry: nominal)] : []) + [.wait(alarm.next(), seconds: first)]
    }

    private mutating func pause(rest: Double, mayRetry: Bool) -> [Action] {
        phase = .pausing(rest: rest, mayRetry: mayRetry)
        return []
    }

    private mutating func wait(_ seconds: Double) -> [Action] {
        phase = .waiting
        return [.wait(alarm.next(), seconds: seconds)]
    }
}
