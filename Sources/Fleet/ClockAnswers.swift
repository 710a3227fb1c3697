import Beacon
import Broker
import FleetFormat

/// Questions of scanners about the fleet's time, and the answers of this resolver. A plain value.
struct ClockAnswers: Sendable {
    /// The maximum number of scanners that wait for an answer: each once, with its last question.
    static let mostWaiting = 512
    /// Seconds between two checks of this machine's clock.
    private static let interval = 60.0

    private let topics: FleetTopics
    private let resolver: String
    private var waiting: [String: (asked: Int64, received: Timestamp)] = [:]
    private var isSynchronised: Bool?
    private var nextLook = 0.0

    init(_ topics: FleetTopics, resolver: String) {
        self.topics = topics
        self.resolver = resolver
    }

    /// - Parameter time: this machine's clock, when the message came.
    /// - Returns: whether the message was a question.
    mutating func take(_ topic: String, _ payload: [UInt8], at time: Timestamp) -> Bool {
        guard case .clock(let host) = topics.message(topic) else { return false }
        guard let question = try? ClockQuestion(json: payload), waiting[host] != nil || waiting.count < Self.mostWaiting
        else { return true }
        waiting[host] = (question.asked, time)
        return true
    }

    /// The next answer; nil if no scanner waits.
    mutating func next(at time: Timestamp) -> Publication? {
        guard let (host, question) = waiting.popFirst() else { return nil }
        let answer = ClockAnswer(
            asked: question.asked, received: question.received.microseconds,
            sent: max(question.received, time).microseconds, resolver: resolver, isSynchronised: isSynchronised)
        return Publication(topic: topics.clockAnswer(host), payload: answer.json, isRetained: false)
    }

    /// Checks once a minute whether this machine's clock is synchronised, because all scanners follow it.
    ///
    /// - Parameter now: seconds of any monotonic clock.
    /// - Returns: a message for people; nil for none.
    mutating func look(at now: Double, isSynchronised look: () -> Bool?) -> String? {
        guard now >= nextLook else { return nil }
        nextLook = now + Self.interval
        let before = isSynchronised
        isSynchronised = look()
        guard isSynchronised != before else { return nil }
        switch isSynchronised {
        case false?:
            return "this machine's clock is not synchronised, and scanners may follow it: "
                + "run 'sudo timedatectl set-ntp true' here"
        case true? where before == false: return "this machine's clock is synchronised again"
        default: return nil
        }
    }
}
