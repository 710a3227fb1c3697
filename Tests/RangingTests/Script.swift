import Beacon
import Ranging
import TestSupport

/// Noise that is the same in every run.
struct SeededNoise: RandomNumberGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 { generator.next() }

    /// Normally distributed, near enough: the sum of twelve uniform values.
    mutating func normal(deviation: Double) -> Double {
        var sum = -6.0
        for _ in 0..<12 {
            sum += Double.random(in: 0..<1, using: &self)
        }
        return sum * deviation
    }
}

let museum = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)

func beacon(_ minor: UInt16) -> BeaconID {
    BeaconID(uuid: museum, major: 1, minor: minor)
}

func sighting(
    _ minor: UInt16, at seconds: Double?, rssi: Int8?, measuredPower: Int8 = -59, source: SourceID = 0
) -> Sighting {
    Sighting(
        time: seconds.map(Timestamp.init(seconds:)), source: source, rssi: rssi,
        beacon: IBeacon(id: beacon(minor), measuredPower: measuredPower))
}

/// A level as a controller reports it.
func reading(_ level: Double) -> Int8 {
    Int8(max(-127, min(20, level.rounded())))
}

/// A beacon in a script: how often it is heard, and how strong it is.
struct ScriptedBeacon {
    var minor: UInt16
    var interval = 0.1
    var offset = 0.0
    var source: SourceID = 0
    /// dBm at a time; nil where it is not heard.
    var level: (Double) -> Double?
}

/// The sightings of some beacons over a time, in order.
func script(_ beacons: [ScriptedBeacon], from start: Double = 0, until end: Double) -> [Sighting] {
    var sightings: [(time: Double, sighting: Sighting)] = []
    for beacon in beacons {
        var step = 0
        while true {
            let time = start + beacon.offset + Double(step) * beacon.interval
            guard time < end else { break }
            if let level = beacon.level(time) {
                sightings.append(
                    (time, sighting(beacon.minor, at: time, rssi: reading(level), source: beacon.source)))
            }
            step += 1
        }
    }
    return sightings.sorted { $0.time < $1.time }.map(\.sighting)
}

/// What came out of a script.
struct Outcome {
    var rankings: [Ranking] = []
    /// Every event with its tick's time in seconds.
    var events: [(time: Double, event: RangingEvent)] = []

    /// Changes of the nearest beacon, the first choice not counted.
    var switches: [(time: Double, to: BeaconID?)] {
        events.compactMap { time, event in
            if case .nearest(let id, .some) = event { (time, id) } else { nil }
        }
    }

    func times(of event: RangingEvent) -> [Double] {
        events.filter { $0.event == event }.map(\.time)
    }

    func ranked(_ minor: UInt16, at time: Double) -> RangedBeacon? {
        rankings.last { $0.time <= Timestamp(seconds: time) }?.beacons.first { $0.id == beacon(minor) }
    }

    func nearest(at time: Double) -> BeaconID? {
        rankings.last { $0.time <= Timestamp(seconds: time) }?.nearest
    }
}

/// Feeds sightings and ticks every `interval` seconds up to `end`.
func run(
    _ sightings: [Sighting], from start: Double = 0, until end: Double, interval: Double = 1,
    settings: RangingSettings = .init(), isBlind: (Double) -> Bool = { _ in false }
) -> Outcome {
    var ranger = Ranger(settings: settings)
    var outcome = Outcome()
    var next = sightings.startIndex
    var step = 1
    while true {
        let time = start + Double(step) * interval
        guard time <= end + 1e-9 else { return outcome }
        let instant = Timestamp(seconds: time)
        while next < sightings.endIndex, let heard = sightings[next].time, heard <= instant {
            ranger.add(sightings[next])
            next += 1
        }
        let (ranking, events) = ranger.tick(at: instant, isBlind: isBlind(time))
        outcome.rankings.append(ranking)
        outcome.events += events.map { (time, $0) }
        step += 1
    }
}

/// Two beacons, each with its own noise at 10 readings a second.
func pair(
    seed: UInt64, until end: Double, deviation: Double = 6, levels: (Double) -> (Double, Double)
) -> [Sighting] {
    var noise = SeededNoise(seed: seed)
    var sightings: [Sighting] = []
    for step in 0..<Int(end * 10) {
        let time = Double(step) / 10
        let (first, second) = levels(time)
        let a = reading(first + noise.normal(deviation: deviation))
        let b = reading(second + noise.normal(deviation: deviation))
        sightings.append(sighting(1, at: time + 0.01, rssi: a))
        sightings.append(sighting(2, at: time + 0.03, rssi: b))
    }
    return sightings
}
