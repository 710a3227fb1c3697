import Beacon
import Ranging
import Testing

/// What a ranking tells is worked out anew only when its time has come; an explanation is always worked out anew. So
/// both must tell the same at any instant.
@Suite("Rankings between readings")
struct StandingTests {
    /// Beacons of all rates, some at two receivers, of which half fall silent one after another.
    private func sightings() -> [Sighting] {
        var noise = SeededNoise(seed: 17)
        let signals = (1...7 as ClosedRange<UInt16>).flatMap { minor -> [ScriptedBeacon] in
            let interval = [0.05, 0.1, 0.31, 0.7, 1, 1.9, 3.3][Int(minor) % 7]
            let end = minor % 2 == 0 ? 10 + Double(minor) : 100
            let level = Double.random(in: -90 ... -50, using: &noise)
            let one = ScriptedBeacon(minor: minor, interval: interval, offset: Double(minor) / 100) { time in
                time < end ? level + (Int(time * 10) % 5 == 0 ? -6 : 0) : nil
            }
            var other = one
            other.source = 1
            other.offset += 0.2
            other.level = { time in time < end - 2 ? level + 3 : nil }
            return minor % 3 == 0 ? [one, other] : [one]
        }
        return script(signals, until: 40)
    }

    @Test(
        "a ranking tells what an explanation of the same instant tells", arguments: LevelAlgorithm.allCases,
        [0..<0, 15..<18] as [Range<Double>])
    func same(algorithm: LevelAlgorithm, blind: Range<Double>) throws {
        var settings = RangingSettings()
        settings.levelAlgorithm = algorithm
        settings.exitFloor = 9
        var ranger = Ranger(settings: settings)
        let sightings = sightings()
        var next = sightings.startIndex
        var told = 0
        for step in 1...400 {
            let now = Timestamp(seconds: Double(step) / 10)
            while next < sightings.endIndex, let time = sightings[next].time, time <= now {
                ranger.add(sightings[next])
                next += 1
            }
            let ranking = ranger.tick(at: now, isBlind: blind.contains(now.seconds)).ranking
            for ranged in ranking.beacons {
                let explanation = try #require(ranger.explanation(of: ranged.id, at: now))
                guard ranged.distance == explanation.distance, ranged.filteredRSSI == explanation.filteredRSSI,
                    ranged.source == explanation.receivers.first(where: \.isUsed)?.source,
                    ranged.proximity == explanation.proximity
                else {
                    Issue.record("\(ranged.id.minor) differs at \(now.seconds) s: \(ranged), \(explanation)")
                    return
                }
                told += 1
            }
        }
        #expect(told > 1500)
    }

    @Test("who falls silent goes behind those who are heard when its time has come, and no tick later")
    func quiet() {
        let silent = ScriptedBeacon(minor: 1) { $0 < 9.95 ? -50 : nil }
        let heard = ScriptedBeacon(minor: 2) { _ in -80 }
        var settings = RangingSettings()
        settings.exitFloor = 20
        let outcome = run(script([silent, heard], until: 20), until: 20, interval: 0.1, settings: settings)
        let behind = outcome.rankings.first { $0.beacons.first?.id == beacon(2) && $0.time > Timestamp(seconds: 1) }
        #expect(behind.map { abs($0.time.seconds - 13) < 0.11 } == true)
    }

    // The second age ends between the steps in which a level becomes less certain.
    @Test("the nearest that has gone quiet loses 3 dB each second, in half seconds", arguments: [3, 3.25])
    func fading(staleAge: Double) throws {
        var settings = RangingSettings()
        settings.staleAge = staleAge
        settings.exitFloor = 60
        settings.exitCap = 60
        settings.placeDeviation = 500
        settings.nearestEvidence = 1e6
        settings.disputedEvidence = 1e6
        var ranger = Ranger(settings: settings)
        for step in 0...100 {
            ranger.add(sighting(1, at: Double(step) / 10, rssi: -50))
            ranger.add(sighting(2, at: Double(step) / 10, rssi: -70))
        }
        _ = ranger.tick(at: Timestamp(seconds: 10))
        // Its level is stale after four times its mean of a tenth of a second, and after the given age at least.
        var leads: [Double] = []
        var refusals = 0
        for step in 1...40 {
            let time = 10 + Double(step) / 4
            ranger.add(sighting(2, at: time, rssi: -70))
            _ = ranger.tick(at: Timestamp(seconds: time))
            let verdict = try #require(ranger.explanation(of: beacon(2), at: Timestamp(seconds: time))?.verdict)
            leads.append(verdict.lead)
            // The refusal goes by what the last tick had.
            if let refused = ranger.refusedChange {
                #expect(refused.lead == verdict.lead)
                refusals += 1
            }
        }
        #expect(refusals > 0)
        for (index, lead) in leads.enumerated() {
            let silence = Double(index + 1) / 4
            let expected = -20 + 1.5 * (max(0, silence - staleAge) * 2).rounded(.down)
            #expect(abs(lead - expected) < 0.01, "after \(silence) s")
        }
    }

    @Test("an exit is told by the first tick after its time, and memory ends as sharply")
    func exit() {
        var settings = RangingSettings()
        settings.corrections = [BeaconConstraint(beacon(1)): BeaconCorrection(exitTime: 7)]
        settings.memory = 30
        var ranger = Ranger(settings: settings)
        ranger.add(sighting(1, at: 0, rssi: -60))
        func events(_ seconds: Double) -> [RangingEvent] {
            ranger.tick(at: Timestamp(seconds: seconds)).events.filter {
                if case .entered = $0 { return true }
                if case .exited = $0 { return true }
                return false
            }
        }
        #expect(events(0) == [.entered(beacon(1))])
        #expect(events(7) == [] && events(7.001) == [.exited(beacon(1))])
        #expect(events(30) == [] && ranger.trackedCount == 1)
        #expect(events(30.001) == [] && ranger.trackedCount == 0)
    }

    @Test("a beacon that made room and is heard again before its exit was told has never left")
    func madeRoom() {
        var settings = RangingSettings()
        settings.maximumBeacons = 1
        var ranger = Ranger(settings: settings)
        ranger.add(sighting(1, at: 0, rssi: -60))
        #expect(ranger.tick(at: Timestamp(seconds: 1)).events.first == .entered(beacon(1)))
        for minor in [2, 1] as [UInt16] { ranger.add(sighting(minor, at: 1.5, rssi: -60)) }
        let events = ranger.tick(at: Timestamp(seconds: 2)).events
        #expect(!events.contains(.entered(beacon(1))) && !events.contains(.exited(beacon(1))))
        ranger.add(sighting(2, at: 2.5, rssi: -60))
        #expect(ranger.tick(at: Timestamp(seconds: 3)).events.contains(.exited(beacon(1))))
    }

    @Test("what made room while the scanner was blind exits when there are more of them than are tracked")
    func madeRoomBlind() {
        func exits(_ count: UInt16) -> [Int] {
            var settings = RangingSettings()
            settings.maximumBeacons = 2
            var ranger = Ranger(settings: settings)
            var exits: [Int] = []
            for minor in 0..<count {
                ranger.add(sighting(minor, at: Double(minor) / 10, rssi: -60))
                let tick = ranger.tick(at: Timestamp(seconds: Double(minor) / 10), isBlind: true)
                exits.append(tick.events.count { if case .exited = $0 { true } else { false } })
            }
            return exits
        }
        // 0, 1 and 2 have made room when 4 comes.
        #expect(exits(4) == [0, 0, 0, 0] && exits(5) == [0, 0, 0, 0, 3])
    }

    @Test(
        "a reading from up to a second ahead is of its time, one from farther ahead is of now",
        arguments: [0.9, 1, 1.1, 1.9])
    func ahead(seconds: Double) {
        var ranger = Ranger()
        ranger.add(sighting(1, at: 10 + seconds, rssi: -60))
        let seen = ranger.tick(at: Timestamp(seconds: 10)).ranking.beacons.map(\.lastSeen)
        #expect(seen == [Timestamp(seconds: seconds > 1 ? 10 : 10 + seconds)])
    }

    @Test("without a level there is no allowance, and nothing to compare")
    func withoutLevel() throws {
        var ranger = Ranger()
        ranger.add(sighting(1, at: 0, rssi: nil))
        ranger.add(sighting(2, at: 0, rssi: -60))
        _ = ranger.tick(at: Timestamp(seconds: 1))
        let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 1)))
        #expect(explanation.allowance == 0 && explanation.filteredRSSI == nil && explanation.variance == nil)
        #expect(explanation.verdict == nil && explanation.probabilityNearer == nil && explanation.readings.isEmpty)
    }

    @Test("a tick that comes late counts for two seconds of a lead at most, and one that goes back for none")
    func lateTicks() throws {
        var settings = RangingSettings()
        settings.placeDeviation = 500
        settings.nearestEvidence = 1e6
        settings.disputedEvidence = 1e6
        settings.exitFloor = 1000
        settings.exitCap = 1000
        settings.staleAge = 900
        settings.levelReach = 900
        var ranger = Ranger(settings: settings)
        for minor in 1...2 as ClosedRange<UInt16> {
            for step in 0..<30 { ranger.add(sighting(minor, at: Double(step) / 10, rssi: minor == 1 ? -60 : -90)) }
        }
        _ = ranger.tick(at: Timestamp(seconds: 3))
        for step in 0..<30 { ranger.add(sighting(2, at: 5 + Double(step) / 10, rssi: -50)) }
        func evidence(_ seconds: Double) throws -> Double {
            _ = ranger.tick(at: Timestamp(seconds: seconds))
            return try #require(ranger.explanation(of: beacon(2), at: Timestamp(seconds: seconds))?.verdict?.evidence)
        }
        // 10 dB of lead, 2 of them the margin.
        let first = try evidence(8)
        #expect(abs(first - 16) < 0.01)
        #expect(try abs(evidence(9) - 24) < 0.01 && abs(evidence(8.5) - 24) < 0.01)
        #expect(abs(try evidence(100) - 40) < 0.01)
    }
}
