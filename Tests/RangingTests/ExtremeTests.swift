import Beacon
import Ranging
import Testing

@Suite("Extremes")
struct ExtremeTests {
    private static let instants: [Int64] = [
        .min, .min + 1, -9_000_000_000_000_000_000, -1, 0, 1, 1_700_000_000_000_000, 9_000_000_000_000_000_000,
        .max - 1, .max,
    ]

    @Test("any two times in any order: nothing traps, and who was just heard is present", arguments: instants)
    func extremes(first: Int64) {
        for second in Self.instants {
            var ranger = Ranger()
            for microseconds in [first, second, first] {
                let heard = Sighting(
                    time: Timestamp(microseconds: microseconds), rssi: -60,
                    beacon: IBeacon(id: beacon(1), measuredPower: -59))
                ranger.add(heard)
                let (ranking, _) = ranger.tick(at: Timestamp(microseconds: microseconds))
                #expect(ranking.beacons.count == 1)
            }
        }
    }

    @Test("a clock that is set back does not keep beacons for ever, nor send them away")
    func setBack() {
        var ranger = Ranger()
        for step in 0..<100 {
            ranger.add(sighting(1, at: 1_000_000 + Double(step) / 10, rssi: -60))
        }
        _ = ranger.tick(at: Timestamp(seconds: 1_000_010))
        let (ranking, events) = ranger.tick(at: Timestamp(seconds: 10))
        #expect(ranking.beacons.count == 1 && events.isEmpty)
        #expect(ranger.tick(at: Timestamp(seconds: 20)).events.contains(.exited(beacon(1))))
    }

    @Test("a time far ahead in one sighting does not keep its beacon for ever")
    func farAhead() {
        var ranger = Ranger()
        ranger.add(sighting(1, at: 4e9, rssi: -60))
        #expect(ranger.tick(at: Timestamp(seconds: 10)).ranking.beacons.map(\.lastSeen) == [Timestamp(seconds: 10)])
        #expect(ranger.tick(at: Timestamp(seconds: 41)).events.contains(.exited(beacon(1))))
    }

    @Test("after a jump forward everybody exits once")
    func jumpForward() {
        var ranger = Ranger()
        for minor in 1...5 as ClosedRange<UInt16> {
            ranger.add(sighting(minor, at: 0, rssi: -60))
        }
        _ = ranger.tick(at: Timestamp(seconds: 1))
        let (ranking, events) = ranger.tick(at: Timestamp(seconds: 1e9))
        #expect(ranking.beacons.isEmpty)
        #expect(events.count { if case .exited = $0 { true } else { false } } == 5)
        #expect(events.contains(.nearest(nil, previous: beacon(1))))
    }

    @Test("from the first instant to the last is a long time")
    func wholeTime() {
        var ranger = Ranger()
        let heard = IBeacon(id: beacon(1), measuredPower: -59)
        ranger.add(Sighting(time: Timestamp(microseconds: .min), rssi: -60, beacon: heard))
        _ = ranger.tick(at: Timestamp(microseconds: .min))
        #expect(ranger.tick(at: Timestamp(microseconds: .max)).events.contains(.exited(beacon(1))))
    }

    @Test("settings that make no sense are brought to ones that do")
    func settings() {
        var settings = RangingSettings()
        settings.pathLossExponent = 0
        settings.levelWindow = -.infinity
        settings.levelReach = .nan
        settings.minimumReadings = .max
        settings.strengthBias = .infinity
        settings.exitFloor = .infinity
        settings.exitCap = -1
        settings.memory = .nan
        settings.returnPenaltyHalfLife = 0
        settings.maximumBeacons = .min
        var ranger = Ranger(settings: settings)
        for minor in 1...3 as ClosedRange<UInt16> {
            ranger.add(sighting(minor, at: Double(minor), rssi: .min, measuredPower: .max))
            let (ranking, _) = ranger.tick(at: Timestamp(seconds: Double(minor) + 0.5))
            #expect(ranking.beacons.count == 1)
            #expect(ranking.beacons.allSatisfy { $0.distance?.metres.isFinite == true })
        }
        #expect(RangingSettings().validated == RangingSettings())
    }

    @Test(
        "every reading against every measured power has a distance",
        arguments: [Int8.min, -127, -1, 0, 1, 104, 126, .max])
    func everyReading(power: Int8) {
        var ranger = Ranger()
        for rssi in Int8.min ... .max {
            ranger.add(
                sighting(UInt16(Int(rssi) + 128), at: Double(Int(rssi) + 128) / 1000, rssi: rssi, measuredPower: power))
        }
        let (ranking, _) = ranger.tick(at: Timestamp(seconds: 0.5))
        #expect(ranking.beacons.count == 256)
        for ranged in ranking.beacons {
            #expect(ranged.distance.map { $0.low <= $0.metres && $0.metres <= $0.high && $0.high.isFinite } == true)
            #expect((ranged.distance?.low ?? 0) > 0)
        }
        // Where the distances are cut off, the order is still that of the levels.
        #expect(ranking.beacons.map { $0.rssi ?? 0 } == (Int8.min ... .max).reversed())
    }

    @Test("random input never traps, and what comes out is always in order", arguments: 1...20)
    func fuzz(seed: UInt64) {
        var noise = SeededNoise(seed: seed)
        var settings = RangingSettings()
        settings.maximumBeacons = Int.random(in: 1...50, using: &noise)
        var ranger = Ranger(settings: settings)
        var base = Int64.random(in: .min ... .max, using: &noise)
        var present: Set<BeaconID> = []
        for _ in 0..<3000 {
            switch Int.random(in: 0..<20, using: &noise) {
            case 0: base = Int64.random(in: .min ... .max, using: &noise)
            case 1: base &+= Int64.random(in: -100_000_000...100_000_000, using: &noise)
            default: base &+= Int64.random(in: -20_000...200_000, using: &noise)
            }
            let time = Timestamp(microseconds: base)
            if Int.random(in: 0..<6, using: &noise) == 0 {
                let isBlind = Int.random(in: 0..<10, using: &noise) == 0
                let (ranking, events) = ranger.tick(at: time, isBlind: isBlind)
                #expect(ranking.time == time)
                #expect(ranking.beacons.map(\.rank) == Array(1..<ranking.beacons.count + 1))
                for event in events {
                    switch event {
                    case .entered(let id): #expect(present.insert(id).inserted)
                    case .exited(let id): #expect(present.remove(id) != nil)
                    default: break
                    }
                }
                #expect(present.isSuperset(of: ranking.beacons.map(\.id)))
                if !isBlind {
                    #expect(present == Set(ranking.beacons.map(\.id)))
                    #expect(ranking.nearest.map(present.contains) ?? true)
                }
            } else {
                let heard = Sighting(
                    time: Int.random(in: 0..<50, using: &noise) == 0 ? nil : time,
                    rssi: Int.random(in: 0..<20, using: &noise) == 0
                        ? nil : Int8.random(in: .min ... .max, using: &noise),
                    beacon: IBeacon(
                        id: beacon(UInt16.random(in: 0..<80, using: &noise)),
                        measuredPower: Int8.random(in: .min ... .max, using: &noise)))
                ranger.add(heard)
            }
        }
    }

    @Test("ten thousand beacons are ranked")
    func tenThousand() {
        var ranger = Ranger()
        for minor in 0..<10_000 as Range<UInt16> {
            ranger.add(sighting(minor, at: Double(minor) / 10_000, rssi: -40 - Int8(minor % 60)))
        }
        let (ranking, events) = ranger.tick(at: Timestamp(seconds: 1))
        #expect(ranking.beacons.count == 10_000)
        #expect(ranking.nearest == beacon(0))
        #expect(events.count { if case .entered = $0 { true } else { false } } == 10_000)
    }
}
