package import Beacon

/// Collects the sightings of one scanner into minutes.
package struct MinuteCollector: Sendable {
    /// A sender is an address with a measured power. Another sender with the same identity differs in at least one of
    /// them.
    fileprivate struct Sender: Hashable {
        var address: UInt64
        var claim: Int8
    }

    /// The small values come last, so that there is no padding between them: there are thousands of tallies.
    fileprivate struct Tally {
        var count = 0
        /// dBm: a sample, spread evenly over the minute.
        var levels: [Int8] = []
        var stride = 1
        var jumps = 0.0
        var jumpCount = 0
        /// The senders that were received last, the newest at the end.
        var senders: [Sender] = []
        var returns = 0
        /// Packets with the measured power `claim`, minus packets with others, since it was chosen.
        var claims = 0
        /// Microseconds. Gaps are kept over several minutes until there are enough.
        var gaps: [UInt32] = []
        var lastTime: Timestamp?
        var last: Int8?
        var claim: Int8 = 0
        var battery: UInt8?
        var gapMinutes: UInt8 = 0
    }

    /// The maximum number of beacons in one minute.
    package static let mostBeacons = 4000
    fileprivate static let mostLevels = 64
    fileprivate static let mostGaps = 120
    /// Minutes for which gaps are collected.
    fileprivate static let longestGathering: UInt8 = 10
    fileprivate static let rememberedSenders = 4

    private var tallies: [BeaconID: Tally] = [:]

    package init() {}

    /// Whether anything was received in this minute.
    package var isSilent: Bool { !tallies.values.contains { $0.count > 0 } }

    /// A sighting without a level or a time is ignored.
    package mutating func add(_ sighting: borrowing Sighting) {
        guard let level = sighting.rssi, let time = sighting.time, (-127...20).contains(level) else { return }
        let id = sighting.beacon.id
        guard tallies.count < Self.mostBeacons || tallies[id] != nil else { return }
        let sender = Sender(address: sighting.address?.value ?? 0, claim: sighting.beacon.measuredPower)
        tallies[id, default: Tally()].add(level, time, sender, battery: sighting.beacon.battery)
    }

    /// Ends the minute. Only the gaps are kept for the next one.
    package mutating func finish(_ minute: Int64, isBlind: Bool = false) -> ScannerMinute {
        var heard: [BeaconMinute] = []
        heard.reserveCapacity(tallies.count)
        for beacon in tallies.keys.sorted() {
            guard let new = tallies[beacon]?.finish(beacon) else { continue }
            heard.append(new)
        }
        tallies.removeAll { $1.gapMinutes >= Self.longestGathering }
        return ScannerMinute(minute: minute, isBlind: isBlind, heard: isBlind ? [] : heard)
    }
}

extension MinuteCollector.Tally {
    fileprivate mutating func add(
        _ level: Int8, _ time: Timestamp, _ sender: MinuteCollector.Sender, battery octet: UInt8?
    ) {
        count += 1
        if let last {
            jumps += Double((Int(level) - Int(last)).magnitude)
            jumpCount += 1
        }
        last = level
        if count % stride == 0 { levels.append(level) }
        if levels.count > MinuteCollector.mostLevels {
            levels = levels.indices.filter { $0 % 2 == 1 }.map { levels[$0] }
            stride *= 2
        }
        note(sender)
        battery = octet ?? battery
        if let lastTime, gaps.count < MinuteCollector.mostGaps {
            let gap = time.seconds(since: lastTime)
            // A clock that was set, or a beacon that was away, does not make a gap.
            if gap >= AdvertisingInterval.shortest, gap < 60 {
                gaps.append(UInt32(truncatingIfNeeded: time.microseconds &- lastTime.microseconds))
            }
        }
        lastTime = time
    }

    private mutating func note(_ sender: MinuteCollector.Sender) {
        if sender.claim == claim {
            claims += 1
        } else if claims > 0 {
            claims -= 1
        } else {
            (claim, claims) = (sender.claim, 1)
        }
        guard sender != senders.last else { return }
        if let known = senders.firstIndex(of: sender) {
            returns += 1
            senders.remove(at: known)
        } else if senders.count == MinuteCollector.rememberedSenders {
            senders.removeFirst()
        }
        senders.append(sender)
    }

    /// Nil if nothing was received.
    fileprivate mutating func finish(_ beacon: BeaconID) -> BeaconMinute? {
        gapMinutes += 1
        guard count > 0 else { return nil }
        var interval = AdvertisingInterval.unknown
        if gaps.count >= AdvertisingInterval.enough {
            interval = AdvertisingInterval(gaps: gaps.map { Double($0) / 1_000_000 })
            gaps = []
            gapMinutes = 0
        } else if gapMinutes >= MinuteCollector.longestGathering {
            gaps = []
            gapMinutes = 0
        }
        var seconds: Double?
        if case .regular(let regular) = interval { seconds = regular }
        let sorted = levels.isEmpty ? [last ?? 0] : levels.sorted()
        let minute = BeaconMinute(
            beacon: beacon, count: count, level: Double(sorted[sorted.count * 9 / 10]),
            jump: jumpCount > 0 ? jumps / Double(jumpCount) : 0, interval: seconds, isIrregular: interval == .irregular,
            returns: returns, claim: claim, battery: battery)
        (count, levels, stride, jumps, jumpCount, returns, claims) = (0, [], 1, 0, 0, 0, 0)
        return minute
    }
}
