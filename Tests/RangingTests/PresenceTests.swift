import Beacon
import Ranging
import Testing

@Suite("Enter and exit")
struct PresenceTests {
    @Test("a beacon enters once, and exits once when it is gone")
    func once() {
        let outcome = run(script([ScriptedBeacon(minor: 1) { $0 < 30 ? -70 : nil }], until: 60), until: 60)
        #expect(outcome.times(of: .entered(beacon(1))) == [1])
        let exits = outcome.times(of: .exited(beacon(1)))
        #expect(exits.count == 1)
        #expect(exits.allSatisfy { $0 > 34 && $0 <= 36 })
    }

    /// Two beacons that fall silent at 20 s; whether the scanner can be believed is in doubt for some time after.
    private func silent(inDoubt doubt: Range<Double>, thenBlind blind: Range<Double> = 0..<0) -> Outcome {
        let signals = (1...2).map { ScriptedBeacon(minor: $0) { $0 < 20 ? -70 : nil } }
        var (ranger, outcome) = (Ranger(), Outcome())
        for sighting in script(signals, until: 20) { ranger.add(sighting) }
        for tick in 0...80 {
            let second = 20 + Double(tick) / 2
            let (ranking, events) = ranger.tick(
                at: Timestamp(seconds: second), isBlind: blind.contains(second), isInDoubt: doubt.contains(second))
            outcome.rankings.append(ranking)
            outcome.events += events.map { (second, $0) }
        }
        return outcome
    }

    @Test("while the scanner is in doubt nothing exits; when it is well, silence counts from its beginning")
    func doubt() {
        let exits = silent(inDoubt: 22..<32).times(of: .exited(beacon(1)))
        #expect(exits == [32])
    }

    @Test("what is first received in a doubt has its distance class at the first ranking after it")
    func classAfterDoubt() {
        var ranger = Ranger()
        for tick in 0...4 { ranger.add(sighting(1, at: Double(tick) / 10, rssi: -60)) }
        let inDoubt = ranger.tick(at: Timestamp(seconds: 0.5), isInDoubt: true)
        #expect(inDoubt.ranking.beacons.map(\.proximity) == [.unknown])
        let after = ranger.tick(at: Timestamp(seconds: 1))
        #expect(after.ranking.beacons.map(\.proximity) == [.near])
    }

    @Test("a short doubt delays no exit", arguments: [1, 2])
    func shortDoubt(minor: UInt16) {
        #expect(
            silent(inDoubt: 22..<23).times(of: .exited(beacon(minor)))
                == silent(inDoubt: 0..<0).times(of: .exited(beacon(minor))))
    }

    @Test("what was in doubt and turns out blind exits only after it can be believed again")
    func doubtThenBlind() {
        let exits = silent(inDoubt: 22..<25, thenBlind: 25..<40).times(of: .exited(beacon(1)))
        #expect(exits.count == 1)
        #expect(exits.allSatisfy { $0 > 44 })
    }

    /// Heard every `interval` seconds, each time with this probability, until it is gone.
    private func lossy(seed: UInt64, interval: Double, heard: Double, gone: Double) -> (
        outcome: Outcome, exitTime: Double
    ) {
        var noise = SeededNoise(seed: seed)
        let signal = ScriptedBeacon(minor: 1, interval: interval) {
            $0 < gone && Double.random(in: 0..<1, using: &noise) < heard ? -75 : nil
        }
        let sightings = script([signal], until: gone)
        var ranger = Ranger()
        for sighting in sightings { ranger.add(sighting) }
        _ = ranger.tick(at: Timestamp(seconds: gone))
        let learned = ranger.explanation(of: beacon(1), at: Timestamp(seconds: gone))?.exitTime ?? 0
        return (run(sightings, until: gone + 100, interval: 0.5), learned)
    }

    @Test(
        "a slow and lossy beacon does not exit while it is there, and does in time when it is gone",
        arguments: 1...20 as ClosedRange<UInt64>)
    func slowAndLossy(seed: UInt64) {
        let (outcome, exitTime) = lossy(seed: seed, interval: 1, heard: 0.5, gone: 3600)
        #expect(outcome.times(of: .entered(beacon(1))).count == 1)
        let exits = outcome.times(of: .exited(beacon(1)))
        #expect(exits.count == 1)
        // Within three times what it has learned: silence until the exit, with the tick that tells it.
        #expect(exits.allSatisfy { $0 > 3600 && $0 <= 3600 + 3 * exitTime })
        #expect((10.0...30).contains(exitTime))
    }

    @Test("a beacon that is heard often exits in less than six seconds", arguments: [1, 0.8])
    func fast(heard: Double) {
        for seed in 1...20 as ClosedRange<UInt64> {
            let (outcome, _) = lossy(seed: seed, interval: 0.1, heard: heard, gone: 300)
            let exits = outcome.times(of: .exited(beacon(1)))
            #expect(exits.count == 1)
            #expect(exits.allSatisfy { $0 > 300 && $0 < 306 })
        }
    }

    @Test("floor and cap bound the exit time", arguments: [(2.0, 2.0, 1.5...3.5), (40, 50, 39...42)])
    func bounds(floor: Double, cap: Double, expected: ClosedRange<Double>) {
        var settings = RangingSettings()
        settings.exitFloor = floor
        settings.exitCap = cap
        let signal = ScriptedBeacon(minor: 1) { $0 < 20 ? -70 : nil }
        let exits = run(script([signal], until: 80), until: 80, settings: settings).times(of: .exited(beacon(1)))
        #expect(exits.count == 1)
        #expect(exits.allSatisfy { expected.contains($0 - 20) })
    }

    @Test("a beacon that comes back enters anew, and counts anew")
    func comesBack() {
        let signal = ScriptedBeacon(minor: 1, interval: 0.5) { $0 < 10 || $0 >= 60 ? -70 : nil }
        let outcome = run(script([signal], until: 65), until: 65)
        #expect(outcome.times(of: .entered(beacon(1))).count == 2)
        #expect(outcome.ranked(1, at: 10)?.count == 20)
        #expect(outcome.ranked(1, at: 62)?.count == 5)
    }

    @Test("what comes back without a level has none from before")
    func comesBackWithoutLevel() {
        var sightings = script([ScriptedBeacon(minor: 1) { _ in -70 }], until: 10)
        sightings.append(sighting(1, at: 60, rssi: nil))
        let outcome = run(sightings, until: 61)
        #expect(outcome.ranked(1, at: 10)?.rssi == -70)
        #expect(outcome.ranked(1, at: 61)?.lastSeen == Timestamp(seconds: 60))
        #expect(outcome.ranked(1, at: 61)?.rssi == nil)
    }

    @Test("a beacon that is heard every few seconds is not unknown in between")
    func slow() {
        let signal = ScriptedBeacon(minor: 1, interval: 3.7) { _ in -59 }
        let outcome = run(script([signal], until: 120), until: 120)
        let late = outcome.rankings.filter { $0.time > Timestamp(seconds: 60) }.flatMap(\.beacons)
        #expect(late.count == 60 && late.allSatisfy { $0.proximity == .near })
    }

    @Test("copies of one advertising event do not shorten the exit time")
    func copies() {
        var sightings: [Sighting] = []
        for second in stride(from: 0.0, to: 60, by: 2) {
            for copy in 0..<3 {
                sightings.append(sighting(1, at: second + Double(copy) / 500, rssi: -70))
            }
        }
        let exits = run(sightings, until: 120).times(of: .exited(beacon(1)))
        #expect(exits.count == 1)
        #expect(exits.allSatisfy { (74.0...82).contains($0) })
    }

    @Test("presence counts without a level too")
    func presenceOnly() {
        let sightings = (0..<300).map { sighting(1, at: Double($0) / 10, rssi: nil) }
        let outcome = run(sightings, until: 50)
        #expect(outcome.times(of: .entered(beacon(1))) == [1])
        #expect(outcome.times(of: .exited(beacon(1))).count == 1)
    }

    // MARK: - Blind

    @Test("while the scanner is blind nothing exits, and silence counts anew afterwards")
    func blindFreezesExits() {
        let signal = ScriptedBeacon(minor: 1) { $0 < 10 || $0 >= 612 ? -70 : nil }
        let outcome = run(script([signal], until: 640), until: 640, isBlind: { (10.0...610).contains($0) })
        #expect(outcome.times(of: .entered(beacon(1))) == [1])
        #expect(outcome.times(of: .exited(beacon(1))).isEmpty)
        #expect(outcome.switches.isEmpty)
    }

    @Test("who left while the scanner was blind exits after it sees again")
    func leftWhileBlind() {
        let signal = ScriptedBeacon(minor: 1) { $0 < 10 ? -70 : nil }
        let outcome = run(script([signal], until: 10), until: 640, isBlind: { (10.0...610).contains($0) })
        let exits = outcome.times(of: .exited(beacon(1)))
        #expect(exits.count == 1)
        #expect(exits.allSatisfy { $0 > 614 && $0 <= 617 })
    }

    @Test("who has gone quiet is ranked with those that are heard from the first blind tick on")
    func blindOrder() {
        var settings = RangingSettings()
        settings.exitFloor = 30
        var ranger = Ranger(settings: settings)
        for step in 0...136 {
            if step <= 100 { ranger.add(sighting(1, at: Double(step) / 10, rssi: -50)) }
            ranger.add(sighting(2, at: Double(step) / 10, rssi: -80))
        }
        func order(_ seconds: Double, isBlind: Bool = false) -> [BeaconID] {
            ranger.tick(at: Timestamp(seconds: seconds), isBlind: isBlind).ranking.beacons.map(\.id)
        }
        #expect(order(13.6) == [beacon(2), beacon(1)])
        #expect(order(13.7, isBlind: true) == [beacon(1), beacon(2)])
        #expect(order(13.8) == [beacon(1), beacon(2)], "silence counts anew")
    }

    @Test("while the scanner is blind nothing becomes the nearest")
    func blindFreezesNearest() {
        let first = ScriptedBeacon(minor: 1) { $0 < 20 ? -60 : -90 }
        let second = ScriptedBeacon(minor: 2) { $0 < 20 ? -90 : -60 }
        let outcome = run(script([first, second], until: 60), until: 60, isBlind: { (20.0...40).contains($0) })
        #expect(outcome.nearest(at: 40) == beacon(1))
        let whileBlind = outcome.events.filter { (20.0...40).contains($0.time) }
        #expect(whileBlind.isEmpty)
        #expect(outcome.switches.map(\.to) == [beacon(2)])
        #expect(outcome.switches.allSatisfy { $0.time > 40 && $0.time <= 43 })

        var ranger = Ranger()
        ranger.add(sighting(1, at: 0, rssi: -50))
        #expect(ranger.tick(at: Timestamp(seconds: 1), isBlind: true).ranking.nearest == nil)
        #expect(ranger.tick(at: Timestamp(seconds: 2)).ranking.nearest == beacon(1))
    }

    @Test("blindness teaches nothing about a beacon's interval")
    func blindIntervals() {
        // Two seconds in thirty are seen; a learner that counted the gaps would wait for half a minute.
        let isSeen = { (time: Double) in time < 300 && Int(time) % 30 < 2 }
        let signal = ScriptedBeacon(minor: 1, interval: 0.5) { isSeen($0) ? -70 : nil }
        let outcome = run(script([signal], until: 300), until: 360, isBlind: { $0 < 300 && !isSeen($0) })
        let exits = outcome.times(of: .exited(beacon(1)))
        #expect(exits.count == 1)
        #expect(exits.allSatisfy { $0 <= 308 })
    }

    // MARK: - Bounds

    @Test("a flood of identities is bounded, and who is heard all the time survives it")
    func flood() {
        var settings = RangingSettings()
        settings.maximumBeacons = 100
        var ranger = Ranger(settings: settings)
        var entered = 0
        var exited = 0
        for step in 0..<20_000 {
            let time = Double(step) / 1000
            let id = BeaconID(uuid: ProximityUUID(UInt128(step)), major: 0, minor: 0)
            ranger.add(
                Sighting(time: Timestamp(seconds: time), rssi: -80, beacon: IBeacon(id: id, measuredPower: -59)))
            if step % 50 == 0 {
                ranger.add(sighting(1, at: time, rssi: -60))
            }
            if step % 500 == 499 {
                let (ranking, events) = ranger.tick(at: Timestamp(seconds: time))
                #expect(ranking.beacons.count <= 100)
                #expect(ranking.nearest == beacon(1))
                #expect(!events.contains(.exited(beacon(1))))
                entered += events.count { if case .entered = $0 { true } else { false } }
                exited += events.count { if case .exited = $0 { true } else { false } }
            }
        }
        #expect(ranger.trackedCount == 100)
        #expect(ranger.counters.forgotten == 20_001 - 100)
        // Everyone whose entering was told is present or has exited.
        #expect(entered - exited == 100)
    }

    @Test("identities that stay away are forgotten in time")
    func forgets() {
        var ranger = Ranger()
        for minor in 0..<500 as Range<UInt16> {
            ranger.add(sighting(minor, at: 0, rssi: -70))
        }
        _ = ranger.tick(at: Timestamp(seconds: 1))
        #expect(ranger.trackedCount == 500)
        _ = ranger.tick(at: Timestamp(seconds: 100))
        #expect(ranger.trackedCount == 500)
        _ = ranger.tick(at: Timestamp(seconds: 700))
        #expect(ranger.trackedCount == 0)
    }

    @Test("sightings without a time are ignored and counted")
    func withoutTime() {
        var ranger = Ranger()
        ranger.add(sighting(1, at: nil, rssi: -50))
        let (ranking, events) = ranger.tick(at: Timestamp(seconds: 1))
        #expect(ranking.beacons.isEmpty && events.isEmpty)
        #expect(ranger.counters.withoutTime == 1)
    }
}
