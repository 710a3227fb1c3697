package import Beacon

/// Both clocks of a machine, read together.
package struct ClockReading: Hashable, Sendable {
    package var wall: Timestamp
    /// Seconds of a monotonic clock that continues while the machine sleeps.
    package var elapsed: Double

    package init(wall: Timestamp, elapsed: Double) {
        self.wall = wall
        self.elapsed = elapsed
    }
}

/// The offset of this machine's clock from the fleet's, which is the clock of one resolver, the same for all scanners.
///
/// A plain value. It asks over the broker, as NTP does (RFC 5905, section 8): half of the round trip is the largest
/// error of an answer. It keeps the offset between the fleet's clock and the monotonic clock, so that a change of the
/// wall clock is corrected at once.
package struct ClockOffset: Sendable {
    private struct Measurement {
        /// The fleet's clock minus the monotonic one, in seconds, and its largest error.
        var base: Double
        var error: Double
    }

    private struct Reference {
        var measurements: [Measurement] = []
        /// A measurement that differs from the others: the resolver's clock may have been set.
        var doubt: Measurement?
        var isSynchronised = false
        var unanswered = 0
    }

    /// Seconds between two questions, and the same while something is new.
    package static let interval = 60.0
    package static let shortInterval = 1.0
    /// The number of questions at the short interval when something is new. If none is answered, there is no resolver.
    static let urgentQuestions = 3
    /// Seconds for which the last measurement is valid if no resolver answers any more.
    package static let memory = 3600.0
    /// Seconds. A longer round trip is ignored.
    static let longestTrip = 5.0
    /// Seconds by which the correction may be wrong before it is changed, so that it does not fluctuate.
    static let tolerance = 0.1
    private static let mostMeasurements = 8
    private static let mostReferences = 16

    private var references: [String: Reference] = [:]
    private var pending: [(asked: Int64, elapsed: Double)] = []
    private var nextQuestion = 0.0
    private var urgent = 0
    /// The number of questions in this connection.
    private var questions = 0
    private var best: (measurement: Measurement, at: Double)?
    private var held: Int?
    /// The resolver whose clock counts.
    package private(set) var reference: String?

    package init() {}

    // MARK: - Questions

    /// There is a connection to the broker.
    package mutating func connect(at now: ClockReading) {
        (pending, questions, urgent, nextQuestion) = ([], 0, Self.urgentQuestions, now.elapsed)
    }

    /// A resolver has appeared or gone. All scanners have to choose the same one.
    package mutating func note(resolver: String, isThere: Bool, at now: ClockReading) {
        if !isThere { references[resolver] = nil }
        choose(at: now.elapsed)
        hurry(Self.urgentQuestions, at: now.elapsed)
    }

    private mutating func hurry(_ questions: Int, at now: Double) {
        urgent = max(urgent, questions)
        nextQuestion = min(nextQuestion, now + Self.shortInterval)
    }

    /// A question, if it is time for one.
    package mutating func question(at now: ClockReading) -> ClockQuestion? {
        guard now.elapsed >= nextQuestion else { return nil }
        urgent = max(0, urgent - 1)
        nextQuestion = now.elapsed + (urgent > 0 ? Self.shortInterval : Self.interval)
        questions += 1
        for name in references.keys { references[name]?.unanswered += 1 }
        pending = pending.suffix(2) + [(now.wall.microseconds, now.elapsed)]
        choose(at: now.elapsed)
        return ClockQuestion(asked: now.wall.microseconds)
    }

    // MARK: - Answers

    package mutating func take(_ answer: ClockAnswer, at now: ClockReading) {
        guard let question = pending.last(where: { $0.asked == answer.asked }),
            references[answer.resolver] != nil || references.count < Self.mostReferences
        else { return }
        let trip = now.elapsed - question.elapsed
        let waited = Double(answer.sent &- answer.received) / 1e6
        // Ignored if the clock was set in between.
        guard (0...Self.longestTrip).contains(trip), waited <= trip + 0.01 else { return }
        let way = max(0, trip - waited) / 2
        let received = Double(answer.received) / 1e6
        let measurement = Measurement(base: received - question.elapsed - way, error: way)
        var reference = references[answer.resolver] ?? Reference()
        reference.isSynchronised = answer.isSynchronised == true
        reference.unanswered = 0
        if !Self.add(measurement, to: &reference) { hurry(1, at: now.elapsed) }
        references[answer.resolver] = reference
        choose(at: now.elapsed)
    }

    /// - Returns: false if it does not fit the others. Then the next one decides.
    private static func add(_ new: Measurement, to reference: inout Reference) -> Bool {
        if let estimate = estimate(reference.measurements), !fit(estimate, new) {
            guard let doubt = reference.doubt, fit(doubt, new) else {
                reference.doubt = new
                return false
            }
            reference.measurements = [doubt]
        }
        reference.doubt = nil
        reference.measurements = reference.measurements.suffix(mostMeasurements - 1) + [new]
        return true
    }

    private static func fit(_ one: Measurement, _ other: Measurement) -> Bool {
        abs(one.base - other.base) <= tolerance + one.error + other.error
    }

    /// The middle one of the half with the shortest round trips.
    private static func estimate(_ measurements: [Measurement]) -> Measurement? {
        let best = measurements.sorted { $0.error < $1.error }.prefix((measurements.count + 1) / 2)
        let middle = best.sorted { $0.base < $1.base }
        return middle.isEmpty ? nil : middle[middle.count / 2]
    }

    /// Chooses among the resolvers that answer: first those with a synchronised clock, then by name.
    private mutating func choose(at now: Double) {
        let answering = references.filter { _, reference in
            !reference.measurements.isEmpty && reference.unanswered <= Self.urgentQuestions
        }
        let first = answering.min { one, other in
            let (right, otherRight) = (one.value.isSynchronised, other.value.isSynchronised)
            return right == otherRight ? one.key < other.key : right
        }
        guard let first, let estimate = Self.estimate(first.value.measurements) else { return }
        reference = first.key
        best = (estimate, now)
    }

    // MARK: - The correction

    /// Milliseconds to add to this machine's clock; nil if unknown.
    package mutating func milliseconds(at now: ClockReading) -> Int? {
        guard let best, now.elapsed - best.at <= Self.memory else {
            (self.best, held, reference) = (nil, nil, nil)
            return nil
        }
        let offset = best.measurement.base + now.elapsed - now.wall.seconds
        guard abs(offset) < 1e10 else { return nil }
        if let held, abs(offset - Double(held) / 1000) <= Self.tolerance + best.measurement.error { return held }
        held = Int((offset * 1000).rounded())
        return held
    }

    /// Whether the correction is known, or no resolver is there to measure it.
    package var isSettled: Bool { best != nil || questions >= Self.urgentQuestions }
}
