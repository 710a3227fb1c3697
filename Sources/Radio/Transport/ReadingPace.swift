/// When packets that wait in the kernel are read. Ranging takes them twice a second, so that one reading may take what
/// has come in a moment, and a wake-up for each packet is saved. What comes after a silence is read at once, and so is
/// everything while a command waits for its answer.
///
/// Pure; times are seconds on any clock that only goes forward.
package struct ReadingPace: Sendable {
    /// Seconds between two readings.
    package static let longestPause = 0.05
    /// Octets that a reading should find, however fast they come. A serial line's buffer holds 4096, and that of a Unix
    /// socket about 200 packets, after which the controller has to wait.
    package static let wanted = 2560.0
    /// A shorter pause is none: it would cost more than it saves.
    private static let shortestPause = 0.002
    /// Seconds in which what waits is read. What takes longer to come was not there yet.
    private static let readingTime = 0.001

    private var lastReading: Double
    /// When it was ready to read whatever comes.
    private var readyAt: Double
    private var isAnswerAwaited = false
    /// The answer is in what is read now.
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

    /// Seconds since the first of what is read now may have come; 0 where it was waited for.
    package func age(at now: Double) -> Double {
        now - readyAt < Self.readingTime ? max(0, now - lastReading) : 0
    }

    /// So many octets were read.
    ///
    /// - Returns: seconds until the next reading; 0 for as soon as something comes.
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
