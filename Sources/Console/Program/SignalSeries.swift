/// What the signals mean that ask a program to end: the first one asks it, and another one insists.
package struct SignalSeries: Sendable {
    package enum Meaning: Hashable, Sendable {
        /// The program is to end its work.
        case request
        /// The same request again.
        case repetition
        /// The program is to end at once.
        case insistence
    }

    /// A signal so soon after the first one belongs to it: timeout(1) sends each signal twice, to the program and to
    /// its process group. Who insists presses Ctrl-C again after that.
    package static let repetition = Duration.milliseconds(300)

    private var first: ContinuousClock.Instant?

    package init() {}

    /// Notes the next signal.
    package mutating func note(at instant: ContinuousClock.Instant) -> Meaning {
        guard let first else {
            first = instant
            return .request
        }
        return first.duration(to: instant) < Self.repetition ? .repetition : .insistence
    }
}
