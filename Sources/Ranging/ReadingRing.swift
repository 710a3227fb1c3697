import Beacon

/// The latest readings of one receiver, in 5 bytes each: adding allocates nothing.
struct ReadingRing {
    /// The number of readings kept. A beacon that is received less than 12 times a second fits into the default window.
    static let capacity = 24
    /// Times are kept as ticks of 100 µs after `epoch`, up to 59 hours to either side.
    private static let microsecondsPerTick: Int64 = 100

    private var offsets = InlineArray<24, Int32>(repeating: 0)
    private var levels = InlineArray<24, Int8>(repeating: 0)
    private var epoch = Timestamp(microseconds: 0)
    private var next: UInt8 = 0
    private(set) var count: UInt8 = 0

    /// The reading `step` places before the latest, from 0 to `count` - 1.
    subscript(step: Int) -> (time: Timestamp, rssi: Int8) {
        let index = index(step)
        return (epoch.adding(ticks: offsets[index]), levels[index])
    }

    private func index(_ step: Int) -> Int {
        (Int(next) &+ 2 &* Self.capacity &- 1 &- step) % Self.capacity
    }

    /// A reading that is so much older than the others that its time does not fit is ignored. Either it is of no use
    /// any more, or the clock was set back, and the next tick moves the others to its time.
    mutating func add(_ rssi: Int8, at time: Timestamp) {
        if count == 0 {
            epoch = time
        }
        if Self.ticks(from: epoch, to: time) > Int64(Int32.max) {
            move(to: time)
        }
        guard let offset = Int32(exactly: Self.ticks(from: epoch, to: time)) else { return }
        offsets[Int(next)] = offset
        levels[Int(next)] = rssi
        next = UInt8(truncatingIfNeeded: (Int(next) + 1) % Self.capacity)
        count = min(count + 1, UInt8(Self.capacity))
    }

    mutating func reset() {
        next = 0
        count = 0
    }

    /// Moves readings from after `time` to `time`, because the clock has been set back since.
    mutating func limit(to time: Timestamp) {
        let latest = Self.ticks(from: epoch, to: time)
        // An epoch from after `time` moves to it, too, so that the times of late readings from before it fit.
        let shift = min(latest, 0)
        for index in 0..<Self.capacity {
            offsets[index] = Int32(clamping: min(Int64(offsets[index]), latest).subtractingClamped(shift))
        }
        if shift < 0 { epoch = time }
    }

    /// Moves the epoch. Readings that are too old for it are forgotten, together with those before them.
    private mutating func move(to time: Timestamp) {
        let shift = Self.ticks(from: epoch, to: time)
        var kept: UInt8 = 0
        while kept < count {
            let index = index(Int(kept))
            guard let offset = Int32(exactly: Int64(offsets[index]).subtractingClamped(shift)) else { break }
            offsets[index] = offset
            kept += 1
        }
        count = kept
        epoch = time
    }

    private static func ticks(from start: Timestamp, to end: Timestamp) -> Int64 {
        end.microseconds.subtractingClamped(start.microseconds) / microsecondsPerTick
    }
}

extension Timestamp {
    fileprivate func adding(ticks: Int32) -> Timestamp {
        Timestamp(microseconds: microseconds.addingClamped(Int64(ticks) * 100))
    }

    /// The time so many seconds later, at most the greatest timestamp.
    func adding(seconds: Double) -> Timestamp {
        let added = (seconds * 1_000_000).clamped(to: -9e18...9e18)
        return Timestamp(microseconds: microseconds.addingClamped(Int64(added)))
    }
}
