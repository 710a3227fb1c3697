import Beacon
import Ranging
import Testing

@Suite("Properties")
struct PropertyTests {
    /// Some beacons whose levels wander, at different rates and with losses.
    private func crowd(seed: UInt64, count: UInt16, until end: Double) -> [Sighting] {
        var noise = SeededNoise(seed: seed)
        var beacons: [ScriptedBeacon] = []
        for minor in 1...count {
            let base = Double.random(in: -90 ... -55, using: &noise)
            let slope = Double.random(in: -1...1, using: &noise)
            var own = SeededNoise(seed: seed &* 1000 &+ UInt64(minor))
            beacons.append(
                ScriptedBeacon(
                    minor: minor, interval: [0.1, 0.25, 1][Int(minor) % 3],
                    offset: Double.random(in: 0..<0.1, using: &noise)
                ) { time in
                    Int.random(in: 0..<5, using: &own) == 0 ? nil : base + slope * time + own.normal(deviation: 5)
                })
        }
        return script(beacons, until: end)
    }

    @Test("ranks count from one without gaps, and follow the distance among beacons that are heard", arguments: 1...5)
    func order(seed: UInt64) {
        let outcome = run(crowd(seed: seed, count: 12, until: 30), until: 30)
        for ranking in outcome.rankings {
            #expect(ranking.beacons.map(\.rank) == Array(1..<ranking.beacons.count + 1))
            let heard = ranking.beacons.filter { ranking.time.seconds(since: $0.lastSeen) < 3 }
            let metres = heard.compactMap(\.distance?.metres)
            #expect(metres == metres.sorted())
        }
    }

    @Test("more signal never ranks lower", arguments: 1...10)
    func strongerNeverLower(seed: UInt64) {
        var noise = SeededNoise(seed: seed)
        let sightings = crowd(seed: seed, count: 8, until: 12)
        let before = run(sightings, until: 12)
        var stronger = sightings
        for index in stronger.indices where stronger[index].beacon.id == beacon(4) {
            // Some of its readings, and by different amounts.
            stronger[index].rssi = stronger[index].rssi.map { $0 + Int8.random(in: 0...15, using: &noise) }
        }
        let after = run(stronger, until: 12)
        for (old, new) in zip(before.rankings, after.rankings) {
            let oldRank = old.beacons.first { $0.id == beacon(4) }?.rank
            let newRank = new.beacons.first { $0.id == beacon(4) }?.rank
            #expect(newRank ?? 99 <= oldRank ?? 99)
        }
        #expect(before.ranked(4, at: 12)?.filteredRSSI != after.ranked(4, at: 12)?.filteredRSSI)
    }

    @Test("a beacon far away does not change who is nearest", arguments: 1...10)
    func farBeacon(seed: UInt64) {
        let sightings = crowd(seed: seed, count: 6, until: 40)
        let far = script([ScriptedBeacon(minor: 99, interval: 0.3, offset: 0.07) { _ in -115 }], until: 40)
        let both = (sightings + far).sorted { ($0.time ?? Timestamp(seconds: 0)) < ($1.time ?? Timestamp(seconds: 0)) }
        let without = run(sightings, until: 40)
        let with = run(both, until: 40)
        #expect(without.rankings.map(\.nearest) == with.rankings.map(\.nearest))
        #expect(with.ranked(99, at: 40) != nil)
    }

    @Test("a shift of all times changes nothing", arguments: [-1e6, 0.25, 1_700_000_000])
    func shift(by seconds: Double) {
        let sightings = crowd(seed: 7, count: 10, until: 40)
        let shifted = sightings.map { original in
            var moved = original
            moved.time = original.time.map {
                Timestamp(microseconds: $0.microseconds + Timestamp(seconds: seconds).microseconds)
            }
            return moved
        }
        let here = run(sightings, until: 60)
        let there = run(shifted, from: seconds, until: 60 + seconds)
        #expect(here.rankings.count == there.rankings.count)
        #expect(here.rankings.map(\.nearest) == there.rankings.map(\.nearest))
        #expect(here.events.map(\.event) == there.events.map(\.event))
        #expect(
            here.rankings.map { $0.beacons.map(\.distance) } == there.rankings.map { $0.beacons.map(\.distance) })
    }

    @Test("the same input gives the same output")
    func deterministic() {
        let sightings = crowd(seed: 9, count: 20, until: 20)
        #expect(run(sightings, until: 20).rankings == run(sightings, until: 20).rankings)
    }

    @Test("an equal level is ranked by identity, whatever came first")
    func ties() {
        let signals = [3, 1, 2].map { minor in ScriptedBeacon(minor: minor) { _ in -70 } }
        for order in [signals, signals.reversed()] {
            let ranking = run(script(order, until: 2), until: 2).rankings.last
            #expect(ranking?.beacons.map(\.id) == [beacon(1), beacon(2), beacon(3)])
            #expect(ranking?.nearest == beacon(1))
        }
    }

    @Test("how often one asks changes neither levels nor distances nor order", arguments: 1...5)
    func sparseTicks(seed: UInt64) {
        let sightings = crowd(seed: seed, count: 15, until: 30).filter {
            // Some fall silent, so that staleness and exits are among it.
            ($0.time ?? Timestamp(seconds: 0)) < Timestamp(seconds: 20) || $0.beacon.id.minor % 3 != 0
        }
        let rare = run(sightings, until: 40, interval: 4)
        let often = run(sightings, until: 40, interval: 0.125)
        for ranking in rare.rankings {
            let same = often.rankings.first { $0.time == ranking.time }
            #expect(same?.beacons.map(\.id) == ranking.beacons.map(\.id))
            #expect(same?.beacons.map(\.rank) == ranking.beacons.map(\.rank))
            #expect(same?.beacons.map(\.distance) == ranking.beacons.map(\.distance))
            #expect(same?.beacons.map(\.lastSeen) == ranking.beacons.map(\.lastSeen))
        }
    }

    @Test("a list that is asked for after every sighting is the one that is made at once")
    func oneByOne() {
        let sightings = crowd(seed: 4, count: 40, until: 6)
        var ranger = Ranger()
        var last: Ranking?
        for sighting in sightings {
            ranger.add(sighting)
            last = ranger.tick(at: sighting.time ?? Timestamp(seconds: 0)).ranking
        }
        last = ranger.tick(at: Timestamp(seconds: 6)).ranking
        let atOnce = run(sightings, until: 6, interval: 6).rankings.last
        #expect(last?.beacons.map(\.id) == atOnce?.beacons.map(\.id))
        #expect(last?.beacons.map(\.distance) == atOnce?.beacons.map(\.distance))
        #expect(last?.beacons.map(\.rank) == Array(1...40))
    }
}
