public import Beacon

/// Gathers a report from sightings, in memory that does not grow with their number: about 2 KiB a beacon.
public struct ReportBuilder: Sendable {
    private let settings: RangingSettings
    private let pathLoss: PathLoss
    private var slots: [BeaconID: Int] = [:]
    private var entries: [Entry] = []
    private var scale: BucketScale?
    private var firstTime: Timestamp?
    private var lastTime: Timestamp?
    private var count = 0
    private var withoutTime = 0
    private var dropped = 0

    /// A builder that has heard nothing yet.
    public init(settings: RangingSettings = .init()) {
        self.settings = settings.validated
        pathLoss = PathLoss(self.settings)
    }

    /// Takes in one sighting. Without a time it is only counted.
    public mutating func add(_ sighting: Sighting) {
        guard let time = sighting.time else {
            withoutTime &+= 1
            return
        }
        let id = sighting.beacon.id
        let slot: Int
        if let known = slots[id] {
            slot = known
        } else if entries.count < settings.maximumBeacons {
            slot = entries.count
            slots[id] = slot
            entries.append(Entry(id: id, at: time))
        } else {
            dropped &+= 1
            return
        }
        count &+= 1
        firstTime = min(firstTime ?? time, time)
        lastTime = max(lastTime ?? time, time)
        let bucket = bucket(of: time)
        entries[slot].add(sighting, at: time, bucket: bucket, settings: settings)
    }

    /// The report on what was added so far.
    public func report() -> Report {
        var beacons = entries.map(beaconReport)
        beacons.sort { $0.dwell != $1.dwell ? $0.dwell > $1.dwell : $0.id < $1.id }
        return Report(
            firstTime: firstTime, lastTime: lastTime, count: count, withoutTime: withoutTime, dropped: dropped,
            beacons: beacons)
    }

    private mutating func bucket(of time: Timestamp) -> Int {
        var scale = self.scale ?? BucketScale(first: time)
        defer { self.scale = scale }
        while true {
            if let bucket = scale.bucket(of: time) { return bucket }
            let isLater = scale.grow(towards: time)
            for index in entries.indices {
                entries[index].buckets.foldBuckets(intoLaterHalf: isLater)
            }
        }
    }

    private func beaconReport(_ entry: Entry) -> BeaconReport {
        let quantiles = entry.rssiQuantiles
        return BeaconReport(
            id: entry.id, measuredPower: entry.measuredPower, firstSeen: entry.firstSeen, lastSeen: entry.lastSeen,
            dwell: entry.dwell, visits: entry.visits, count: entry.count, rssi: quantiles,
            distance: quantiles.map { distances($0, entry) },
            presence: presence(entry))
    }

    /// The stronger, the nearer: the distances' quantiles are those of the readings, the other way round.
    private func distances(_ rssi: RSSIQuantiles, _ entry: Entry) -> DistanceQuantiles {
        let power = AppliedCorrection(entry.id, settings: settings).measuredPower(claimed: entry.measuredPower)
        func metres(_ rssi: Int8) -> Double {
            pathLoss.distance(loss: power - Double(rssi), variance: 0).metres
        }
        return DistanceQuantiles(p10: metres(rssi.p90), median: metres(rssi.median), p90: metres(rssi.p10))
    }

    /// Buckets up to the last sighting of any beacon.
    private func presence(_ entry: Entry) -> Presence {
        guard let scale, let lastTime, let last = scale.bucket(of: lastTime) else {
            return Presence(start: entry.firstSeen, bucketSeconds: 1, counts: [])
        }
        return Presence(
            start: scale.startTime, bucketSeconds: scale.seconds, counts: entry.buckets[...last].map(Int.init))
    }
}

/// One beacon while a report is gathered.
private struct Entry {
    let id: BeaconID
    var measuredPower: Int8 = 0
    var firstSeen: Timestamp
    var lastSeen: Timestamp
    var dwell = 0.0
    var visits = 1
    var count = 0
    var interval = IntervalEstimate()
    /// Where the interval that is running began.
    var lastInterval: Timestamp
    /// The receiver that the intervals are counted by.
    var intervalScanner: UInt16 = 0
    /// How often each level was read, from -128 dBm up.
    var histogram = [UInt32](repeating: 0, count: 256)
    var buckets = [UInt32](repeating: 0, count: BucketScale.count)

    init(id: BeaconID, at time: Timestamp) {
        self.id = id
        firstSeen = time
        lastSeen = time
        lastInterval = time
    }

    mutating func add(_ sighting: Sighting, at time: Timestamp, bucket: Int, settings: RangingSettings) {
        count &+= 1
        measuredPower = sighting.beacon.measuredPower
        if let rssi = sighting.rssi {
            histogram.increment(Int(rssi) + 128)
        }
        buckets.increment(bucket)
        // A sighting from between the first and the last changes nothing: its time is in a gap already counted.
        if time > lastSeen {
            stay(for: time.elapsed(since: lastSeen), settings: settings)
            lastSeen = time
        } else if time < firstSeen {
            stay(for: firstSeen.elapsed(since: time), settings: settings)
            firstSeen = time
        }
        let seconds = time.elapsed(since: lastInterval)
        if interval.isInterval(seconds, isSameScanner: sighting.scanner == intervalScanner) {
            if seconds <= 2 * settings.exitCap {
                interval.add(seconds, settings: settings)
            }
            lastInterval = time
            intervalScanner = sighting.scanner
        }
    }

    private mutating func stay(for seconds: Double, settings: RangingSettings) {
        if seconds <= interval.exitTime(settings) {
            dwell += seconds
        } else {
            visits &+= 1
        }
    }

    var rssiQuantiles: RSSIQuantiles? {
        let total = histogram.reduce(0) { $0 + Int($1) }
        guard total > 0 else { return nil }
        func quantile(_ share: Double) -> Int8 {
            // The smallest reading at or below which that share lies.
            let rank = min(max((share * Double(total)).rounded(.up), 1), Double(total))
            var seen = 0
            for (index, number) in histogram.enumerated() {
                seen += Int(number)
                if Double(seen) >= rank { return Int8(clamping: index - 128) }
            }
            return .max
        }
        return RSSIQuantiles(
            min: quantile(0), p10: quantile(0.1), median: quantile(0.5), p90: quantile(0.9), max: quantile(1))
    }
}
