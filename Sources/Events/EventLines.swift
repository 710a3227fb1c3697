import Beacon
import Synchronization

/// Limits how many events are written: selects the ones to write, and counts the rest.
package final class EventLines: Sendable {
    private let names: Names
    private let limit: Mutex<FloodLimit>
    private let clock: @Sendable () -> Double
    private let summary: @Sendable (FloodLimit.Summary) -> Void

    /// How many events of a kind may be written in ten seconds.
    private static let limits = (unnamed: 50, named: 200)

    /// - Parameters:
    ///   - clock: seconds of a clock that is never set.
    ///   - summary: writes how many were held back.
    package init(
        names: Names, clock: @escaping @Sendable () -> Double = steadySeconds,
        summary: @escaping @Sendable (FloodLimit.Summary) -> Void
    ) {
        self.names = names
        self.clock = clock
        self.summary = summary
        limit = Mutex(FloodLimit(unnamed: Self.limits.unnamed, named: Self.limits.named))
    }

    /// Whether to write an event. First writes how many were held back before.
    package func takes(_ event: DaemonEvent) -> Bool {
        let now = clock()
        let isNamed = event.beacon.map { names.given($0) != nil } ?? false
        let (summaries, passes) = limit.withLock { limit in
            let summaries = limit.summaries(at: now)
            return (summaries, limit.passes(event, isNamed: isNamed, at: now))
        }
        for each in summaries { summary(each) }
        return passes
    }

    /// Writes how many were held back in windows that have ended. Call it regularly.
    package func tick() {
        let now = clock()
        for each in limit.withLock({ $0.summaries(at: now) }) { summary(each) }
    }
}

/// Seconds of a clock that is never set.
@Sendable package func steadySeconds() -> Double {
    origin.duration(to: .now) / .seconds(1)
}

private let origin = ContinuousClock.now
