package import Beacon
package import Health

/// A building with scanners and beacons, minute by minute: people by day, groups that stand somewhere, doors,
/// furniture, seasons, Wi-Fi, scanners that are off or get another antenna or another place, staff and visitors with
/// beacons.
package struct EmulatedSite: Sendable {
    package let scanners: [String]
    package private(set) var beacons: [EmulatedBeacon]
    /// Minutes since 1970.
    package private(set) var minute: Int64
    /// Which scanners cannot hear.
    package private(set) var blindUntil: [Int64]
    /// What is not as usual; empty where only false alarms are counted.
    package var scene: HealthScene?

    private var chance: Chance
    private var crowd = 0.0
    private var busyness = 1.0
    /// dB, by scanner: antennas.
    private var antennas: [Double]
    private var visitors: [(id: BeaconID, until: Int64, levels: [Double])] = []
    private var nextVisitor: UInt16 = 10_000

    package static let uuid = ProximityUUID(0x7A0E_5F3C_0000_4000_8000_0000_0000_0000)
    static let minutesPerYear = 525_600.0

    /// - Parameter staff: beacons that are carried about by people who come on working days.
    package init(scanners count: Int, beacons: Int, staff: Int = 1, seed: UInt64, from minute: Int64 = 29_453_760) {
        var chance = Chance(seed: seed)
        self.minute = minute
        scanners = (0..<count).map { "pi-\($0 + 1)" }
        antennas = Array(repeating: 0, count: count)
        blindUntil = Array(repeating: .min, count: count)
        let places = (0..<count).map { _ in (chance.uniform(0...30), chance.uniform(0...20)) }
        self.beacons = (0..<beacons + staff).map { number in
            let id = BeaconID(uuid: Self.uuid, major: 1, minor: UInt16(number + 1))
            return EmulatedBeacon(id, near: places, isCarried: number >= beacons, chance: &chance)
        }
        self.chance = chance
    }

    /// The next minute, as each scanner hears it.
    package mutating func next() -> [ScannerMinute] {
        minute += 1
        liveOn()
        var heard = Array(repeating: [BeaconMinute](), count: scanners.count)
        let noise = EmulatedBeacon.Surroundings(minute: minute, crowd: crowd, season: season)
        for index in beacons.indices {
            beacons[index].liveOn(noise, &chance)
            for scanner in scanners.indices {
                if let heardHere = beacons[index].heard(by: scanner, antenna: antennas[scanner], noise, scene, &chance)
                {
                    heard[scanner].append(heardHere)
                }
            }
        }
        for visitor in visitors {
            for scanner in scanners.indices where chance.happens(0.8) {
                let level = visitor.levels[scanner] + chance.normal(4)
                if level > -92 {
                    heard[scanner].append(
                        BeaconMinute(beacon: visitor.id, count: 90, level: level, interval: 0.27, claim: -59))
                }
            }
        }
        return scanners.indices.map { scanner in
            let isBlind = minute < blindUntil[scanner]
            return ScannerMinute(minute: minute, isBlind: isBlind, heard: isBlind ? [] : heard[scanner])
        }
    }

    /// dB: damp and leaves.
    private var season: Double {
        let year = Double(minute % 525_600) / Self.minutesPerYear
        // A triangle does as well as a sine.
        return 3 * abs(year - 0.5) - 0.75
    }

    private mutating func liveOn() {
        let ofDay = minute % 1440
        if ofDay == 0 { busyness = chance.uniform(0.3...1) * ((minute / 1440 + 4) % 7 < 2 ? 1.6 : 1) }
        let hour = Double(ofDay) / 60
        let wanted = hour > 9 && hour < 18 ? busyness * (1 - abs(hour - 13.5) / 6) : 0
        crowd += (wanted - crowd) * 0.05
        for scanner in scanners.indices {
            // Off for minutes, now and then for days.
            if minute >= blindUntil[scanner], chance.happens(12 / Self.minutesPerYear) {
                blindUntil[scanner] = minute + Int64(chance.minutes(median: 20, atMost: 8000))
            }
            // Another antenna, or another place.
            if scene == nil, chance.happens(0.3 / Self.minutesPerYear) { antennas[scanner] += chance.normal(5) }
            if scene == nil, beacons.count >= 6, chance.happens(0.2 / Self.minutesPerYear) { moveScanner(scanner) }
        }
        visitors.removeAll { $0.until < minute }
        if crowd > 0.2, visitors.count < 5, chance.happens(0.01) {
            nextVisitor = nextVisitor == .max ? 10_000 : nextVisitor + 1
            let stay = Int64(chance.minutes(median: 40, atMost: 400))
            visitors.append(
                (
                    BeaconID(uuid: Self.uuid, major: 9, minor: nextVisitor), minute + stay,
                    scanners.map { _ in chance.uniform(-95 ... -60) }
                ))
        }
    }

    private mutating func moveScanner(_ scanner: Int) {
        let place = (chance.uniform(0...30), chance.uniform(0...20))
        for index in beacons.indices { beacons[index].placeScanner(scanner, at: place, &chance) }
    }

    /// Minutes of the day at which people are there.
    package var isOpen: Bool { crowd > 0.1 }

    mutating func move(_ beacon: Int, to place: (Double, Double)) {
        beacons[beacon].move(to: place, &chance)
    }

    mutating func swap(_ first: Int, with second: Int) {
        let places = (beacons[first].place, beacons[second].place)
        beacons[first].move(to: places.1, &chance)
        beacons[second].move(to: places.0, &chance)
    }

    mutating func number(below limit: Int) -> UInt64 { chance.next() % UInt64(limit) }

    /// Changes the place until a scanner hears a difference of so many decibels.
    ///
    /// - Returns: whether there is such a place.
    mutating func changePlace(
        of beacon: Int, atLeast decibels: Double, _ change: (inout EmulatedSite) -> Void
    ) -> Bool {
        let before = self
        for _ in 0..<100 {
            self.beacons = before.beacons
            change(&self)
            let differences = scanners.indices.map { scanner in
                abs(beacons[beacon].base(at: scanner) - before.beacons[beacon].base(at: scanner))
            }
            if differences.max() ?? 0 >= decibels { return true }
        }
        return false
    }

    mutating func far(from beacon: Int) -> (Double, Double) {
        let (x, y) = beacons[beacon].place
        return (
            x > 15 ? chance.uniform(0...6) : chance.uniform(24...30),
            y > 10 ? chance.uniform(0...5) : chance.uniform(15...20))
    }
}
