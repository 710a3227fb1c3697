package import Beacon

/// A beacon's level at one receiver.
package struct ReceiverLevel: Sendable, Hashable {
    /// Which receiver (`Sighting.source`).
    package var source: SourceID
    /// dBm, filtered.
    package var level: Double

    /// A level at a receiver.
    package init(source: SourceID, level: Double) {
        self.source = source
        self.level = level
    }
}

/// The receivers that also receive a beacon, but less well than the one whose level counts. It has a fixed size and no
/// references, because lists of many beacons are copied at every tick.
package struct OtherReceivers: Sendable, Hashable {
    /// A receiver and its level in hundredths of a dB.
    private struct Entry: Sendable, Hashable {
        var source: SourceID = 0
        /// `Int16.min` for no receiver.
        var level = Int16.min
    }

    private var first = Entry()
    private var second = Entry()
    private var third = Entry()

    /// - Parameter levels: three at most; more are left out.
    package init(_ levels: [ReceiverLevel] = []) {
        for receiver in levels { add(receiver) }
    }

    /// The levels in the order in which they were added, rounded to a hundredth of a dB.
    package var levels: [ReceiverLevel] {
        [first, second, third].filter { $0.level != .min }
            .map { ReceiverLevel(source: $0.source, level: Double($0.level) / 100) }
    }

    mutating func add(_ receiver: ReceiverLevel) {
        let hundredths = (receiver.level * 100).rounded().clamped(to: -32_767...32_767)
        let entry = Entry(source: receiver.source, level: Int16(hundredths))
        if first.level == .min {
            first = entry
        } else if second.level == .min {
            second = entry
        } else if third.level == .min {
            third = entry
        }
    }
}
