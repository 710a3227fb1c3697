package import Beacon

/// Divides what one scanner receives into seconds of the fleet's clock: each once, and in order.
package struct LevelSeconds: Sendable {
    /// The longest silence, in seconds, that is reported second by second, and the longest wait after a clock was set
    /// back. After more, it starts again.
    package static let longestGap: Int64 = 10

    private var accumulator = LevelAccumulator()
    /// The second that is being collected, by the fleet's clock.
    private var second: Int64?
    private var clock = 0

    package init() {}

    /// - Parameters:
    ///   - sightings: what was received since the last call, with times of the scanner's clock.
    ///   - time: the scanner's clock.
    ///   - clock: milliseconds to add to it; nil if unknown.
    /// - Returns: the seconds that have ended.
    package mutating func take(
        _ sightings: [Sighting], at time: Timestamp, clock: Int?, isBlind: Bool
    ) -> [LevelsMessage] {
        let seconds = Double(clock ?? 0) / 1000
        let now = Int64(time.advanced(bySeconds: seconds).seconds.rounded(.down))
        let isOther = abs((clock ?? 0) - self.clock) > 1000
        self.clock = clock ?? 0
        if let next = second, now < next, next - now <= Self.longestGap {
            // These seconds were already reported, before the clock was set back.
            return []
        }
        if let next = second, now < next || isOther && now > next + 2 {
            // Between them no time has passed, unless the clock was set as well.
            (accumulator, second) = (LevelAccumulator(), now)
        }
        var waiting = sightings.map { sighting in
            var sighting = sighting
            sighting.time = sighting.time?.advanced(bySeconds: seconds)
            return sighting
        }
        var messages: [LevelsMessage] = []
        for second in max(second ?? now, now - Self.longestGap)..<now {
            let end = Timestamp(seconds: Double(second + 1))
            let isLater = waiting.partition { ($0.time ?? end) >= end }
            for sighting in waiting[..<isLater] { accumulator.add(sighting) }
            waiting.removeSubrange(..<isLater)
            messages.append(accumulator.finish(second, isBlind: isBlind).corrected(by: clock))
        }
        for sighting in waiting { accumulator.add(sighting) }
        second = now
        return messages
    }
}

extension LevelsMessage {
    /// The same second by the scanner's own clock, together with its correction.
    fileprivate func corrected(by clock: Int?) -> LevelsMessage {
        var message = self
        message.clock = clock
        message.second = second - (message.correctedSecond - second)
        return message
    }
}
