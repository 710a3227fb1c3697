import Beacon

/// Sightings of a number of beacons in turn, each at an even interval, with levels that vary.
struct Workload {
    var beacons: [IBeacon]
    /// Microseconds from one beacon's sighting to its next.
    var interval: Int64
    private var index = 0
    private var state: UInt64 = 1
    /// When the last sighting was, in microseconds.
    private(set) var time: Int64 = 1_000_000_000

    init(beacons count: Int, interval: Int64) {
        beacons = (0..<count).map { index in
            let id = BeaconID(uuid: ProximityUUID(7), major: UInt16(index / 1000), minor: UInt16(index % 1000))
            return IBeacon(id: id, measuredPower: -59)
        }
        self.interval = interval
    }

    mutating func next() -> Sighting {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Each beacon has a level of its own, and noise about it.
        let level = -60 - index % 30 - Int((state >> 59) & 15)
        let sighting = Sighting(
            time: Timestamp(microseconds: time), rssi: Int8(level), beacon: beacons[index])
        index = (index + 1) % beacons.count
        time += interval / Int64(beacons.count)
        return sighting
    }
}
