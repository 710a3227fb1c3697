/// When packets that wait in the kernel are read. Ranging takes sightings twice a second, so one read may collect the
/// packets of a short time, which saves a wake-up for each packet. The first packet after a silence is read at once,
/// and so is everything while a command waits for its answer.
///
/// Pure. Times are seconds on any monotonic clock.
package struct ReadingPace: Sendable {
    /// The longest time between two reads, in seconds.
    package static let longestPause = 0.05
    /// Octets that a read should find, however fast they arrive. A serial line's buffer holds 4096, and that of a Unix
    /// socket about 200 packets; then the controller has to wait.
    package static let wanted = 2560.0
    /// Seconds. A shorter pause would cost more than it saves.
    private static let shortestPause = 0.002
    /// Seconds that reading the waiting octets takes. What takes longer was not there yet.
    private static let readingTime = 0.001

    private var lastReading: Double
    /// When the last pause ended.
    private var readyAt: Double
    private var isAnswerAwaited = false
    /// Whether the answer is in the octets that are read now.
    private var isAnswered = false

    package init(now: Double) {
        lastReading = now
        readyAt = now
    }

    /// A command is sent: a pause must end.
    package mutating func sent() {
        isAnswerAwaited = true
        isAnswered = false
    }

    /// The answer to a command was read.
    package mutating func answered() {
        isAnswered = true
    }

    /// The pause has ended.
    package mutating func ready(at now: Double) {
        readyAt = now
    }

    /// Seconds since the first octet of this read may have arrived; 0 if it was read at once.
    package func age(at now: Double) -> Double {
        now - readyAt < Self.readingTime ? max(0, now - lastReading) : 0
    }

    /// Records that so many octets were read.
    ///
    /// - Returns: seconds until the next read; 0 to read as soon as something arrives.
    package mutating func read(_ octets: Int, at now: Double) -> Double {
        let elapsed = now - lastReading
        lastReading = now
        readyAt = now
        guard !isAnswerAwaited else {
            isAnswerAwaited = !isAnswered
            return 0
        }
        let pause = min(Self.longestPause, Self.wanted * elapsed / Double(max(1, octets)))
        return pause < Self.shortestPause ? 0 : pause
    }
}
