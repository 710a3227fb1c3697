public import Beacon
public import Ranging

/// Rankings at even intervals of the source's time: the first comes one interval after the first sighting, and each
/// has seen everything up to its time.
public struct RangingTicks: Sendable {
    public private(set) var ranger: Ranger
    public let interval: Double
    public private(set) var first: Timestamp?
    private var next: Timestamp?
    private var last: Timestamp?

    /// Silence after which a capture's clock is taken to have jumped, in seconds: no ranking is owed for such a gap.
    private static let longestGap = 3600.0

    /// - Parameter interval: seconds, more than 0.
    public init(interval: Double, settings: RangingSettings = RangingSettings()) {
        self.interval = interval
        ranger = Ranger(settings: settings)
    }

    /// Takes a sighting, after the ticks that are due before it.
    public mutating func add(_ sighting: borrowing Sighting, _ tick: (Ranking, [RangingEvent]) -> Void) {
        guard let time = sighting.time else { return }
        if first == nil {
            first = time
            next = time.advanced(bySeconds: interval)
        }
        advance(before: time, tick)
        ranger.add(copy sighting)
        last = max(last ?? time, time)
    }

    /// Gives the ticks that are due up to and including `time`.
    public mutating func advance(to time: Timestamp, _ tick: (Ranking, [RangingEvent]) -> Void) {
        advance(before: Timestamp(microseconds: time.microseconds &+ 1), tick)
    }

    /// The end of a source: a last ranking with everything that was heard.
    public mutating func finish(_ tick: (Ranking, [RangingEvent]) -> Void) {
        guard let next else { return }
        let (ranking, events) = ranger.tick(at: next, isBlind: isBlind)
        tick(ranking, events)
        self.next = nil
    }

    /// Silence means nothing at present.
    public var isBlind = false

    private mutating func advance(before time: Timestamp, _ tick: (Ranking, [RangingEvent]) -> Void) {
        guard var due = next else { return }
        if let last, time.seconds(since: last) > Self.longestGap {
            let (ranking, events) = ranger.tick(at: due)
            tick(ranking, events)
            due = time.advanced(bySeconds: interval)
        }
        while due < time {
            let (ranking, events) = ranger.tick(at: due, isBlind: isBlind)
            tick(ranking, events)
            due = due.advanced(bySeconds: interval)
        }
        next = due
    }
}
