import Beacon
import Ranging
import Testing

@Suite("Nearest")
struct NearestTests {
    @Test("the first beacon that is heard is the nearest at once")
    func first() {
        let outcome = run(script([ScriptedBeacon(minor: 1) { _ in -80 }], until: 3), until: 3)
        #expect(outcome.times(of: .nearest(beacon(1), previous: nil)) == [1])
        #expect(outcome.rankings.allSatisfy { $0.nearest == beacon(1) })
    }

    @Test("a visitor who goes to and fro between two beacons is followed each time", arguments: 1...10)
    func toAndFro(seed: UInt64) {
        // Half a minute at each, 8 m apart.
        let sightings = pair(seed: seed, until: 300) { time in
            Int(time / 30) % 2 == 0 ? (-59, -81) : (-81, -59)
        }
        let switches = run(sightings, until: 300).switches
        #expect(switches.count == 9)
        #expect(zip(switches, 1...9).allSatisfy { (0.0...4).contains($0.time - Double($1) * 30) })
    }

    /// The contest alone, without what the past tells about powers.
    private var withoutPast: RangingSettings {
        var settings = RangingSettings()
        settings.placeDeviation = 1e6
        return settings
    }

    @Test("who takes turns is penalised until it has clearly parted")
    func parting() throws {
        // 20 s away, then back with a lead of 3 dB; behind by 6 dB, or by 20, in between.
        func delay(deficit: Double) throws -> Double {
            let first = ScriptedBeacon(minor: 1) { (20.0..<40).contains($0) ? -70 - deficit : -70 }
            let second = ScriptedBeacon(minor: 2, offset: 0.05) { (20.0..<40).contains($0) ? -70 : -73 }
            let switches = run(script([first, second], until: 100), until: 100, settings: withoutPast).switches
            try #require(switches.count == 2)
            return switches[1].time - 40
        }
        #expect(try delay(deficit: 20) + 2 <= delay(deficit: 6))
    }

    @Test("on a walk from one beacon to another the nearest changes once, within three seconds of the midpoint")
    func walk() {
        var good = 0
        for seed in 1...100 as ClosedRange<UInt64> {
            // 10 s at the first, 6 m at 1 m/s, 10 s at the second. Both 1 m beside the path; n = 2.5.
            let sightings = pair(seed: seed, until: 26) { time in
                let place = max(0, min(6, time - 10))
                return (-59 - 12.5 * log10(1 + place * place), -59 - 12.5 * log10(1 + (6 - place) * (6 - place)))
            }
            let switches = run(sightings, until: 26).switches
            good += switches.count == 1 && switches[0].to == beacon(2) && (13.0...16).contains(switches[0].time) ? 1 : 0
        }
        #expect(good >= 95)
    }

    /// log10 by its series over atanh: enough digits for a level, and no C library.
    private func log10(_ value: Double) -> Double {
        var mantissa = value
        var result = 0.0
        while mantissa > 1.5 {
            mantissa /= 2
            result += 0.30102999566
        }
        let z = (mantissa - 1) / (mantissa + 1)
        var term = z
        var sum = 0.0
        for k in 0..<20 {
            sum += term / Double(2 * k + 1)
            term *= z * z
        }
        return result + 2 * sum * 0.43429448190
    }

    @Test(
        "a small lead does not change the nearest, a clear one does, a great one at once",
        arguments: [(1.5, 0...0), (5.0, 2...6), (15.0, 1...2)] as [(Double, ClosedRange<Double>)])
    func hysteresis(lead: Double, delay: ClosedRange<Double>) {
        let holder = ScriptedBeacon(minor: 1) { _ in -70 }
        let challenger = ScriptedBeacon(minor: 2, offset: 0.05) { $0 < 20 ? -80 : -70 + lead }
        let switches = run(script([holder, challenger], until: 60), until: 60).switches
        if delay.upperBound == 0 {
            #expect(switches.isEmpty)
        } else {
            #expect(switches.count == 1)
            #expect(switches.allSatisfy { delay.contains($0.time - 20) })
        }
    }

    @Test("a flash of a stronger beacon does not make it the nearest")
    func flash() {
        let holder = ScriptedBeacon(minor: 1) { _ in -70 }
        let flash = ScriptedBeacon(minor: 2, offset: 0.05) { (20.0..<20.2).contains($0) ? -55 : -80 }
        #expect(run(script([holder, flash], until: 40), until: 40).switches.isEmpty)
    }

    @Test("two challengers side by side do not keep the place for one that is far behind")
    func disputed() {
        let holder = ScriptedBeacon(minor: 1) { $0 < 20 ? -60 : -85 }
        let left = ScriptedBeacon(minor: 2, offset: 0.03) { $0 < 20 ? -85 : -65 }
        let right = ScriptedBeacon(minor: 3, offset: 0.06) { $0 < 20 ? -85 : -66 }
        let switches = run(script([holder, left, right], until: 40), until: 40).switches
        #expect(switches.count == 1)
        #expect(switches.first?.to == beacon(2))
        #expect(switches.allSatisfy { $0.time <= 23 })
    }

    @Test("where two dispute the place, it takes longer to leave for either of them")
    func disputeTakesLonger() throws {
        func delay(challengers: ClosedRange<UInt16>) throws -> Double {
            let holder = ScriptedBeacon(minor: 1) { $0 < 20 ? -60 : -72 }
            let others = challengers.map { minor in
                ScriptedBeacon(minor: minor, offset: Double(minor) / 100) { $0 < 20 ? -85 : -66 }
            }
            let switches = run(script([holder] + others, until: 40), until: 40, settings: withoutPast).switches
            try #require(switches.count == 1)
            return switches[0].time - 20
        }
        #expect(try delay(challengers: 2...2) <= 3)
        #expect(try delay(challengers: 2...3) >= delay(challengers: 2...2) + 2)
    }

    /// Seconds until a beacon that was left for 20 s is the nearest again, with a lead of 4.5 dB.
    private func returnDelay(_ change: (inout RangingSettings) -> Void) -> Double? {
        var settings = RangingSettings()
        change(&settings)
        let first = ScriptedBeacon(minor: 1) { (20.0..<40).contains($0) ? -76 : -70 }
        let second = ScriptedBeacon(minor: 2, offset: 0.05) { (20.0..<40).contains($0) ? -70 : -75 }
        let switches = run(script([first, second], until: 80), until: 80, settings: settings).switches
        return switches.count == 2 ? switches[1].time - 40 : nil
    }

    @Test("a beacon that was just left needs more to come back, unless its lead is beyond doubt")
    func returnPenalty() throws {
        let free = try #require(returnDelay { $0.returnPenalty = 0 })
        let doubtful = try #require(returnDelay { $0.decisiveDeviations = 100 })
        let decisive = try #require(returnDelay { $0.decisiveDeviations = 1 })
        #expect(doubtful >= free + 2)
        #expect(decisive == free)
    }

    @Test("the penalty for coming back fades")
    func penaltyFades() throws {
        let lasting = try #require(returnDelay { $0.decisiveDeviations = 100 })
        let fading = try #require(
            returnDelay {
                $0.decisiveDeviations = 100
                $0.returnPenaltyHalfLife = 1
            })
        #expect(fading < lasting)
    }

    @Test("when the nearest exits another takes its place, and none when all are gone")
    func gone() {
        let first = ScriptedBeacon(minor: 1) { $0 < 20 ? -60 : nil }
        let second = ScriptedBeacon(minor: 2) { $0 < 40 ? -85 : nil }
        let outcome = run(script([first, second], until: 60), until: 60)
        #expect(outcome.switches.map(\.to) == [beacon(2), nil])
        #expect(outcome.switches.first.map { $0.time > 20 && $0.time <= 27 } == true)
        #expect(outcome.switches.last.map { $0.time > 43 && $0.time <= 47 } == true)
        #expect(outcome.rankings.last?.nearest == nil)
        #expect(outcome.rankings.last?.beacons.isEmpty == true)
    }

    @Test("a beacon that has gone quiet does not become the nearest, though it has not exited yet")
    func quiet() {
        // Heard every 3 s, so that it is old after 12 s of silence, and exits after 30.
        let slow = ScriptedBeacon(minor: 1, interval: 3) { $0 <= 155 ? -80 : nil }
        let holder = ScriptedBeacon(minor: 2) { $0 < 171 ? -60 : nil }
        let outcome = run(script([slow, holder], until: 171), until: 185)
        #expect(outcome.switches.map(\.to) == [nil])
        #expect(outcome.ranked(1, at: 180) != nil)
        #expect(outcome.nearest(at: 170) == beacon(2))
        #expect(outcome.nearest(at: 180) == nil)
    }

    @Test("the strongest level of the past loses against who is heard")
    func fades() {
        var settings = RangingSettings()
        settings.exitFloor = 30
        let silent = ScriptedBeacon(minor: 1) { $0 < 20 ? -50 : nil }
        let heard = ScriptedBeacon(minor: 2) { _ in -75 }
        let outcome = run(script([silent, heard], until: 45), until: 45, settings: settings)
        #expect(outcome.nearest(at: 22) == beacon(1))
        #expect(outcome.ranked(1, at: 40)?.rank == 2)
        #expect(outcome.nearest(at: 40) == beacon(2))
    }

    @Test("a beacon without any level is present and never the nearest")
    func withoutLevel() {
        var ranger = Ranger()
        ranger.add(sighting(1, at: 0, rssi: nil))
        let (ranking, events) = ranger.tick(at: Timestamp(seconds: 1))
        #expect(ranking.nearest == nil)
        #expect(events == [.entered(beacon(1))])
        #expect(ranking.beacons.map(\.rssi) == [nil])
        #expect(ranking.beacons.map(\.filteredRSSI) == [nil])
        #expect(ranking.beacons.map(\.distance) == [nil])
        #expect(ranking.beacons.map(\.proximity) == [.unknown])
        #expect(ranking.beacons.map(\.count) == [1])
        #expect(ranger.counters.withoutRSSI == 1)
    }

    @Test("a coarse tick decides as a fine one does", arguments: [0.1, 0.25, 1, 2])
    func ticks(interval: Double) {
        let holder = ScriptedBeacon(minor: 1) { $0 < 20 ? -60 : -75 }
        let challenger = ScriptedBeacon(minor: 2, offset: 0.05) { $0 < 20 ? -75 : -60 }
        let switches = run(script([holder, challenger], until: 40), until: 40, interval: interval).switches
        #expect(switches.map(\.to) == [beacon(2)])
        #expect(switches.allSatisfy { $0.time > 20 && $0.time <= 22.001 })
    }
}
