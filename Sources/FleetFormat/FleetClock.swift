import Beacon
import Platform
import Synchronization

/// The offset of this machine's clock from the fleet's, shared by the clock exchange and by the sender of levels.
package final class FleetClock: Sendable {
    /// The state of a scanner's clock, for people.
    package struct State: Hashable, Sendable {
        /// Milliseconds to add to it; nil if unknown.
        package var milliseconds: Int?
        /// Nil if unknown.
        package var isSynchronised: Bool?

        package init(milliseconds: Int? = nil, isSynchronised: Bool? = nil) {
            self.milliseconds = milliseconds
            self.isSynchronised = isSynchronised
        }
    }

    private struct Kept {
        var offset = ClockOffset()
        var isSynchronised: Bool?
        var nextLook = 0.0
    }

    private let kept = Mutex(Kept())

    package init() {}

    private static let origin = ContinuousClock.now

    private static var now: ClockReading {
        ClockReading(wall: WallClock.now, elapsed: (ContinuousClock.now - origin) / .seconds(1))
    }

    /// Milliseconds to add to this machine's clock, and whether it is settled that they are known or unknown.
    package var correction: (milliseconds: Int?, isSettled: Bool) {
        kept.withLock { ($0.offset.milliseconds(at: Self.now), $0.offset.isSettled) }
    }

    /// For the scanner's state. The kernel is asked once a minute.
    package var state: State {
        kept.withLock { kept in
            let now = Self.now
            if now.elapsed >= kept.nextLook {
                kept.isSynchronised = KernelClock.isSynchronised
                kept.nextLook = now.elapsed + 60
            }
            return State(milliseconds: kept.offset.milliseconds(at: now), isSynchronised: kept.isSynchronised)
        }
    }

    fileprivate func change(_ body: (inout ClockOffset, ClockReading) -> Void) {
        kept.withLock { body(&$0.offset, Self.now) }
    }

    fileprivate func question() -> ClockQuestion? {
        kept.withLock { $0.offset.question(at: Self.now) }
    }
}

/// The exchange between a scanner and the resolvers about the clock.
package struct ClockExchange: Sendable {
    private let clock: FleetClock
    private let topics: FleetTopics
    /// The scanner's name in topics.
    private let host: String

    package init(_ clock: FleetClock, prefix: String, host: String) {
        self.clock = clock
        self.host = host
        topics = FleetTopics(prefix: prefix)
    }

    package var subscriptions: [String] { [topics.clockAnswer(host), topics.resolver("+")] }

    /// The broker has accepted a connection.
    package func connect() {
        clock.change { offset, now in offset.connect(at: now) }
    }

    /// - Parameter payload: nil if it is too large.
    /// - Returns: whether the message is about the clock.
    package func take(_ topic: String, _ payload: [UInt8]?) -> Bool {
        if topic == topics.clockAnswer(host) {
            if let payload, let answer = try? ClockAnswer(json: payload) {
                clock.change { offset, now in offset.take(answer, at: now) }
            }
            return true
        }
        guard case .resolver(let name) = topics.message(topic) else { return false }
        let state = payload.flatMap(ResolverPresence.init)?.state
        let isThere = state == .answering || state == .learning
        clock.change { offset, now in offset.note(resolver: name, isThere: isThere, at: now) }
        return true
    }

    /// The next question, if one is due.
    package func question() -> (topic: String, payload: String)? {
        clock.question().map { (topics.clock(host), $0.json) }
    }
}
