/// Turns probabilities into an answer that changes once when the beacon changes its room.
struct RoomDecision: Sendable {
    /// The index of the room in the map.
    private(set) var room: Int?
    /// Why there is no room; nil also until a first decision.
    private(set) var unknown: RoomAnswer.Unknown?
    private(set) var since: Int64
    /// The last room, as long as the beacon is received. Another room needs `mayEnter`, even after a doubt in between.
    private(set) var last: Int?
    /// Seconds for which no room was likely.
    private(set) var doubtful = 0

    /// The probability that another room needs.
    static let enough = 0.7
    /// The probability that the first room needs.
    static let enoughAtFirst = 0.5
    /// Seconds without a likely room after which the room is unknown.
    static let longestDoubt = 10
    /// Seconds of silence after which the room is unknown.
    static let longestSilence: Int64 = 10
    /// The same if the scanners that last received it are blind.
    static let longestBlindSilence: Int64 = 7

    init(since: Int64) {
        self.since = since
    }

    /// Starts with a known state.
    init(room: Int?, unknown: RoomAnswer.Unknown?, since: Int64) {
        self.room = room
        last = room
        self.unknown = room == nil ? unknown : nil
        self.since = since
    }

    /// Continues from a checkpoint.
    init(_ known: RoomCheckpoint.Followed) {
        (room, unknown, since) = (known.room, known.unknown, known.since)
        (last, doubtful) = (known.lastRoom, max(0, known.doubtful))
    }

    /// - Parameters:
    ///   - probabilities: the probability of each room, in a second in which the beacon was received.
    ///   - mayEnter: whether the evidence is enough for another room. If not, the room stays the same.
    mutating func weigh(_ probabilities: [Double], second: Int64, mayEnter: (_ room: Int) -> Bool) {
        guard let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] }) else { return }
        let needed = room == nil ? Self.enoughAtFirst : Self.enough
        if best == room {
            doubtful = 0
        } else if probabilities[best] > needed, mayEnter(best) {
            (room, last, unknown, since, doubtful) = (best, best, nil, second, 0)
        } else if room.map({ probabilities[$0] < 0.2 }) ?? (unknown != .undecided) {
            doubtful += 1
            if doubtful >= Self.longestDoubt { forget(.undecided, second: second) }
        }
    }

    /// No scanner has received it in this second.
    mutating func miss(lastHeard: Int64, second: Int64, isBlind: Bool) {
        let longest = isBlind ? Self.longestBlindSilence : Self.longestSilence
        guard RoomResolver.seconds(from: lastHeard, to: second) >= longest else { return }
        // The reason for its silence is already known, and what the scanners can receive now does not change it.
        guard room != nil || unknown == nil || unknown == .undecided else { return }
        forget(isBlind ? .blind : .notHeard, second: second)
    }

    private mutating func forget(_ reason: RoomAnswer.Unknown, second: Int64) {
        if room != nil || unknown == nil { since = second }
        (room, unknown, doubtful) = (nil, reason, 0)
        if reason != .undecided { last = nil }
    }
}
