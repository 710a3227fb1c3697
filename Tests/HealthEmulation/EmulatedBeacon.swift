package import Beacon
import Health
import Ranging

/// A beacon on its site: how each scanner hears it.
package struct EmulatedBeacon: Sendable {
    struct Surroundings {
        var minute: Int64
        /// From 0 to about 1.6.
        var crowd: Double
        /// dB.
        var season: Double
    }

    /// The way to one scanner.
    private struct Path {
        /// dBm, of the stronger packets, without people.
        var base = 0.0
        var shadow = 0.0
        /// dB by which a door takes away when it is closed.
        var door = 0.0
        var isDoorClosed = false
        /// Whether a group that stands near the beacon stands in this way.
        var isInWay = false
        /// Gaps since the last estimate of the interval.
        var gaps = 0
    }

    package let id: BeaconID
    package let isCarried: Bool
    package private(set) var place: (Double, Double)
    private(set) var scanners: [(Double, Double)]
    private var paths: [Path]
    /// dBm at 1 m.
    private let power: Double
    package let claim: Int8
    /// Seconds.
    package let interval: Double
    private var battery: UInt8?
    private var groupUntil: Int64 = .min
    /// dB that a group takes away from the stronger packets.
    private var group = 0.0

    init(_ id: BeaconID, near scanners: [(Double, Double)], isCarried: Bool, chance: inout Chance) {
        self.id = id
        self.isCarried = isCarried
        self.scanners = scanners
        power = chance.uniform(-68 ... -54)
        claim = Int8(chance.uniform(-65 ... -56))
        interval = [0.1, 0.3, 0.5, 1][Int(chance.uniform() * 4)]
        battery = chance.happens(0.3) ? 90 : nil
        paths = scanners.map { _ in Path() }
        place = (0, 0)
        // Where at least one scanner hears it well.
        repeat {
            let (x, y) = scanners[Int(chance.uniform() * Double(scanners.count))]
            place = (min(30, max(0, x + chance.normal(5))), min(20, max(0, y + chance.normal(5))))
            for scanner in scanners.indices { renew(scanner, &chance) }
        } while paths.allSatisfy { $0.base < Self.faintest }
    }

    /// dBm: whoever places beacons sees to it that one scanner hears each at least so well.
    package static let faintest = -80.0

    private mutating func renew(_ scanner: Int, _ chance: inout Chance) {
        let (x, y) = (place.0 - scanners[scanner].0, place.1 - scanners[scanner].1)
        let distance = max(1.5, (x * x + y * y).squareRoot())
        let walls = (distance / 9).rounded(.down)
        paths[scanner].base = power - 24 * decimalLogarithm(distance) - 4 * walls + chance.normal(4)
        paths[scanner].door = chance.happens(0.3) ? chance.uniform(2...6) : 0
    }

    mutating func placeScanner(_ scanner: Int, at place: (Double, Double), _ chance: inout Chance) {
        scanners[scanner] = place
        renew(scanner, &chance)
    }

    mutating func move(to place: (Double, Double), _ chance: inout Chance) {
        self.place = place
        for scanner in scanners.indices { renew(scanner, &chance) }
    }

    /// dBm: how a scanner hears it at its usual place, without people.
    package func base(at scanner: Int) -> Double { paths[scanner].base }

    mutating func liveOn(_ now: Surroundings, _ chance: inout Chance) {
        if now.crowd > 0.1, now.minute > groupUntil, chance.happens(now.crowd / 150) {
            groupUntil = now.minute + Int64(chance.minutes(median: 6, atMost: 120))
            group = chance.uniform(2...7)
            for scanner in paths.indices { paths[scanner].isInWay = chance.happens(0.6) }
        }
        if let battery, battery > 30, chance.happens(30 / EmulatedSite.minutesPerYear) { self.battery = battery - 1 }
        for scanner in paths.indices {
            paths[scanner].shadow = 0.97 * paths[scanner].shadow + chance.normal(0.05 + 0.35 * min(1, now.crowd))
            if paths[scanner].door > 0, chance.happens(now.crowd > 0.1 ? 0.02 : 0.0005) {
                paths[scanner].isDoorClosed.toggle()
            }
            // Furniture.
            if chance.happens(4 / EmulatedSite.minutesPerYear) {
                paths[scanner].base += max(-5, min(5, chance.normal(2.5)))
            }
        }
        if isCarried, chance.happens(0.2) {
            let isWalking = chance.happens(0.5)
            place = isWalking ? (chance.uniform(0...30), chance.uniform(0...20)) : place
            if isWalking { for scanner in paths.indices { renew(scanner, &chance) } }
        }
    }

    /// Whether its owner is there: from eight to five on working days.
    private func isThere(_ minute: Int64) -> Bool {
        guard isCarried else { return true }
        let hour = minute % 1440 / 60
        return (minute / 1440 + 4) % 7 < 5 && hour >= 8 && hour < 17
    }

    mutating func heard(
        by scanner: Int, antenna: Double, _ now: Surroundings, _ scene: HealthScene?, _ chance: inout Chance
    ) -> BeaconMinute? {
        guard isThere(now.minute) else { return nil }
        let path = paths[scanner]
        var level = path.base + antenna + now.season + path.shadow - 3 * now.crowd + chance.normal(0.7)
        if path.isDoorClosed { level -= path.door }
        if now.minute <= groupUntil, path.isInWay { level -= group }
        var interval = interval
        var minute = BeaconMinute(beacon: id, count: 0, level: level, claim: claim, battery: battery)
        scene?.change(&minute, &interval, of: id, at: now.minute)
        // A packet is received if the level of its moment is above the floor; Wi-Fi takes others.
        let received = (0.9 - 0.25 * min(1, now.crowd)) / (1 + exponential(-(minute.level + 93) / 1.5))
        let expected = received * 60 / interval
        let count = Int(max(0, expected + chance.normal(max(0.3, (expected * (1 - received)).squareRoot()))))
        if minute.level > -110 { minute.count += count }
        minute.level.round()
        minute.jump += 4 + chance.normal(0.3)
        paths[scanner].gaps += count
        if count > 0, paths[scanner].gaps > 13, chance.happens(0.95) {
            paths[scanner].gaps = 0
            minute.interval = (interval + 0.005) * (1 + chance.normal(0.01)) * (chance.happens(0.0002) ? 2 : 1)
        }
        if chance.happens(0.0002) { minute.isIrregular = true }
        if chance.happens(0.0005) { minute.returns += 4 }
        scene?.intrude(&minute, on: id, base: path.base, scanner: scanner, at: now.minute, &chance)
        return minute.count > 0 ? minute : nil
    }
}
