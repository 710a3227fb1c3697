import Beacon
import Ranging
import Testing

@Suite("Explanation")
struct ExplanationTests {
    private func ranger(_ beacons: [ScriptedBeacon], until end: Double, settings: RangingSettings = .init()) -> Ranger {
        var ranger = Ranger(settings: settings)
        var next = 1.0
        for sighting in script(beacons, until: end) {
            while let time = sighting.time, time > Timestamp(seconds: next) {
                _ = ranger.tick(at: Timestamp(seconds: next))
                next += 1
            }
            ranger.add(sighting)
        }
        _ = ranger.tick(at: Timestamp(seconds: end))
        return ranger
    }

    @Test("what is not tracked has none")
    func unknown() {
        #expect(Ranger().explanation(of: beacon(1), at: Timestamp(seconds: 0)) == nil)
    }

    @Test("it holds the readings, the level, the distance and the powers")
    func parts() throws {
        var settings = RangingSettings()
        settings.corrections = [BeaconConstraint(beacon(1)): BeaconCorrection(measuredPower: -63, exitTime: 17)]
        settings.regions = [BeaconRegion(identifier: "house", constraint: BeaconConstraint(uuid: museum))]
        let signals = [
            ScriptedBeacon(minor: 1, interval: 0.5) { -70 + ($0 >= 9.4 ? 1 : 0) },
            ScriptedBeacon(minor: 1, interval: 0.5, offset: 0.01, source: 2) { _ in -80 },
        ]
        let ranger = ranger(signals, until: 10, settings: settings)
        let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 10)))
        #expect(explanation.readings.first?.rssi == -80 && explanation.readings.first?.source == 2)
        #expect(explanation.readings.count == 40)
        #expect(explanation.receivers.map(\.source) == [0, 2])
        #expect(explanation.receivers.map(\.isUsed) == [true, false])
        #expect(explanation.claimedPower == -59 && explanation.measuredPower == -63)
        #expect(explanation.exitTime == 17)
        #expect(abs(explanation.interval - 0.5) < 0.1)
        #expect(explanation.regions == ["house"])
        #expect(explanation.isNearest && explanation.verdict == nil && explanation.probabilityNearer == nil)
        #expect(explanation.decisions.map(\.reason) == [.first])
        #expect(explanation.filteredRSSI.map { $0 > -70 && $0 < -69 } == true)
    }

    @Test("a reading is never older than it can be, however far the clock jumps", arguments: [-11.0, -2, 2, 11])
    func jump(days: Double) throws {
        var ranger = Ranger()
        for second in 0..<5 {
            ranger.add(sighting(1, at: Double(second), rssi: -60))
            _ = ranger.tick(at: Timestamp(seconds: Double(second)))
        }
        let start = days * 86_400
        for second in 0..<5 {
            ranger.add(sighting(1, at: start + Double(second), rssi: -70))
            // Some sightings come before the first tick.
            if second > 1 { _ = ranger.tick(at: Timestamp(seconds: start + Double(second))) }
        }
        let now = Timestamp(seconds: start + 4)
        let explanation = try #require(ranger.explanation(of: beacon(1), at: now))
        let ages = explanation.readings.map { now.seconds(since: $0.time) }
        #expect(ages.first == 0 && ages.count > 2)
        // What was read before is as old as the jump was long; after one back it counts as read now.
        for age in ages { #expect((0...5).contains(age) || abs(age - start) <= 5, "\(age)") }
    }

    @Test("the probability of being nearer rises with the level, and is a half for an equal one")
    func probability() throws {
        func probability(_ level: Double) throws -> Double {
            let signals = [
                ScriptedBeacon(minor: 1) { _ in -70 }, ScriptedBeacon(minor: 2, offset: 0.05) { _ in level },
            ]
            let ranger = ranger(signals, until: 5)
            return try #require(ranger.explanation(of: beacon(2), at: Timestamp(seconds: 5))?.probabilityNearer)
        }
        #expect(abs(try probability(-70) - 0.5) < 0.01)
        #expect(try probability(-90) < 0.1)
        #expect(try probability(-80) < probability(-75))
    }

    @Test(
        "what is missing to become the nearest is told",
        arguments: [
            (-80.0, 40.0, NearestDecision.Reason.behind), (-69, 40, .withinMargin), (-66.5, 22, .tooShort),
        ])
    func missing(level: Double, end: Double, reason: NearestDecision.Reason) throws {
        let signals = [
            ScriptedBeacon(minor: 1) { _ in -70 },
            ScriptedBeacon(minor: 2, offset: 0.05) { $0 < 20 ? -90 : level },
        ]
        // The contest alone, without what the past tells about powers.
        var settings = RangingSettings()
        settings.placeDeviation = 1e6
        let ranger = ranger(signals, until: end, settings: settings)
        let explanation = try #require(ranger.explanation(of: beacon(2), at: Timestamp(seconds: end)))
        let verdict = try #require(explanation.verdict)
        #expect(verdict.reason == reason && verdict.holder == beacon(1) && verdict.challenger == beacon(2))
        #expect(verdict.evidence < verdict.needed)
        #expect((explanation.secondsToNearest != nil) == (reason == .tooShort))
        if reason != .behind {
            #expect(ranger.refusedChange?.reason == reason)
        }
    }

    @Test("changes are kept with their reasons, the last 32 of them")
    func history() throws {
        let first = ScriptedBeacon(minor: 1) { Int($0 / 20) % 2 == 0 ? -55 : -85 }
        let second = ScriptedBeacon(minor: 2, offset: 0.05) { Int($0 / 20) % 2 == 0 ? -85 : -55 }
        let ranger = ranger([first, second], until: 1000)
        #expect(ranger.nearestChanges.count == 32)
        #expect(ranger.nearestChanges.allSatisfy { $0.reason == .ledAll && $0.evidence >= $0.needed })
        #expect(zip(ranger.nearestChanges, ranger.nearestChanges.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    @Test("the exit of the nearest is a reason of its own")
    func gone() {
        let signals = [
            ScriptedBeacon(minor: 1) { $0 < 10 ? -50 : nil }, ScriptedBeacon(minor: 2) { $0 < 10 ? -80 : nil },
            ScriptedBeacon(minor: 3) { _ in -100 },
        ]
        let changes = ranger(signals, until: 30).nearestChanges
        #expect(changes.first?.reason == .first)
        #expect(changes.last?.challenger == beacon(3))
        #expect(changes.dropFirst().allSatisfy { $0.reason == .gone || $0.reason == .ledAll })
    }
}
