import Beacon
import Ranging
import Testing

@Suite("Several receivers")
struct ReceiverTests {
    private func ranked(
        _ beacons: [ScriptedBeacon], until end: Double = 5, settings: RangingSettings = .init()
    ) throws -> RangedBeacon {
        try #require(run(script(beacons, until: end), until: end, settings: settings).ranked(1, at: end))
    }

    @Test("a beacon at two receivers is one beacon with the level of the one that hears it best")
    func strongest() throws {
        let joined = try ranked([
            ScriptedBeacon(minor: 1, source: 0) { _ in -80 },
            ScriptedBeacon(minor: 1, offset: 0.001, source: 3) { _ in -62 },
        ])
        #expect(abs(try #require(joined.filteredRSSI) - -62) < 0.01)
        #expect(joined.source == 3)
        #expect(joined.count == 100)
    }

    @Test("the other receivers are told with their levels while they hear it")
    func others() throws {
        let beacons = [
            ScriptedBeacon(minor: 1, source: 7) { _ in -80 },
            ScriptedBeacon(minor: 1, offset: 0.001, source: 3) { _ in -62 },
            ScriptedBeacon(minor: 1, offset: 0.002, source: 9) { $0 < 5 ? -90 : nil },
        ]
        let early = try ranked(beacons)
        #expect(early.others.levels.map(\.source) == [7, 9])
        #expect(early.others.levels.map(\.level) == [-80, -90])
        #expect(try ranked(beacons, until: 40).others.levels.map(\.source) == [7])
        #expect(try ranked([beacons[0]]).others.levels.isEmpty)
    }

    @Test("no more than three others are kept, to a hundredth of a dB")
    func othersBounded() {
        let levels = (0..<5).map { ReceiverLevel(source: SourceID(place: $0), level: -60.004 - Double($0)) }
        let kept = OtherReceivers(levels).levels
        #expect(kept.map(\.source) == [0, 1, 2])
        #expect(kept.first?.level == -60)
        #expect(OtherReceivers([ReceiverLevel(source: 1, level: -1e9)]).levels.map(\.level) == [-327.67])
        #expect(OtherReceivers([ReceiverLevel(source: 1, level: 1e9)]).levels.map(\.level) == [327.67])
    }

    @Test("of two receivers that hear it equally well the first counts, and the other is told")
    func equal() throws {
        let joined = try ranked([
            ScriptedBeacon(minor: 1, source: 4) { _ in -70 },
            ScriptedBeacon(minor: 1, offset: 0.01, source: 2) { _ in -70 },
        ])
        #expect(joined.source == 4 && joined.others.levels == [ReceiverLevel(source: 2, level: -70)])
    }

    @Test("of four receivers with equal levels the first counts, and the others follow in their order")
    func equalFour() throws {
        let joined = try ranked(
            [4, 2, 3, 1].enumerated().map { step, source in
                ScriptedBeacon(minor: 1, offset: Double(step) / 100, source: SourceID(place: source)) { _ in -70 }
            })
        #expect(joined.source == 4 && joined.others.levels.map(\.source) == [2, 3, 1])
    }

    @Test("one lucky reading of a second receiver does not decide")
    func lucky() throws {
        let joined = try ranked([
            ScriptedBeacon(minor: 1, source: 0) { _ in -80 },
            ScriptedBeacon(minor: 1, interval: 100, offset: 4.5, source: 1) { _ in -50 },
        ])
        #expect(abs(try #require(joined.filteredRSSI) - -80) < 0.01)
    }

    @Test("a receiver that has fallen silent no longer counts")
    func silent() throws {
        let joined = try ranked(
            [
                ScriptedBeacon(minor: 1, source: 0) { _ in -80 },
                ScriptedBeacon(minor: 1, source: 1) { $0 < 5 ? -50 : nil },
            ], until: 12)
        #expect(abs(try #require(joined.filteredRSSI) - -80) < 0.01)
    }

    @Test("in a window that is longer a receiver counts for five seconds of silence, and at the next tick no more")
    func silentInLongWindow() throws {
        var settings = RangingSettings()
        settings.levelWindow = 20
        settings.minimumReadings = 1
        var ranger = Ranger(settings: settings)
        ranger.add(sighting(1, at: 1, rssi: -50, source: 1))
        ranger.add(sighting(1, at: 5.5, rssi: -80, source: 2))
        // Nothing is received between the two.
        for (seconds, source) in [(6.0, 1), (6.1, 2)] as [(Double, SourceID)] {
            let (ranking, _) = ranger.tick(at: Timestamp(seconds: seconds))
            let ranked = try #require(ranking.beacons.first)
            #expect(ranked.source == source && ranked.filteredRSSI == (source == 1 ? -50 : -80))
        }
    }

    @Test("where all receivers have fallen silent the last level stands")
    func allSilent() throws {
        var settings = RangingSettings()
        settings.exitFloor = 30
        let joined = try ranked(
            [
                ScriptedBeacon(minor: 1, source: 0) { $0 < 5 ? -80 : nil },
                ScriptedBeacon(minor: 1, source: 1) { $0 < 5 ? -60 : nil },
            ], until: 20, settings: settings)
        #expect(abs(try #require(joined.filteredRSSI) - -60) < 0.01)
    }

    @Test("more receivers than are kept replace the one that is silent for longest")
    func bounded() throws {
        // Nine receivers, one after the other for a second each.
        let receivers = (0..<9).map { index in
            ScriptedBeacon(minor: 1, source: SourceID(place: index)) { Int($0) == index ? -90 + Double(index) : nil }
        }
        let joined = try ranked(receivers, until: 9)
        #expect(joined.source == 8)
        #expect(abs(try #require(joined.filteredRSSI) - -82) < 0.01)
    }

    @Test("four receivers are kept, and a fifth takes the place of the one that is silent for longest")
    func four() throws {
        var ranger = Ranger()
        func sources() throws -> [SourceID] {
            try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 2))).receivers.map(\.source).sorted()
        }
        for (step, source) in [3, 1, 4, 2, 3].enumerated() {
            ranger.add(sighting(1, at: Double(step) / 10, rssi: -60, source: SourceID(place: source)))
        }
        #expect(try sources() == [1, 2, 3, 4])
        ranger.add(sighting(1, at: 1, rssi: -60, source: 5))
        #expect(try sources() == [2, 3, 4, 5])
        ranger.add(sighting(1, at: 1, rssi: -60, source: 6))
        #expect(try sources() == [2, 3, 5, 6])
    }

    @Test("of receivers that have been silent equally long the first is replaced")
    func equallySilent() throws {
        var ranger = Ranger()
        for source in [3, 1, 4, 2] as [SourceID] { ranger.add(sighting(1, at: 0, rssi: -60, source: source)) }
        ranger.add(sighting(1, at: 1, rssi: -60, source: 5))
        let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 2)))
        #expect(explanation.receivers.map(\.source).sorted() == [1, 2, 4, 5])
    }

    /// Receiver 1 received it at 0 s, receiver 2 at 1 s, each in a number of copies. Its interval is still unknown, so
    /// levels reach back 6 s.
    private func heardOnce(_ first: Int, _ second: Int, after seconds: Double) throws -> RangedBeacon {
        var ranger = Ranger()
        for _ in 0..<first { ranger.add(sighting(1, at: 0, rssi: -80, source: 1)) }
        for _ in 0..<second { ranger.add(sighting(1, at: 1, rssi: -50, source: 2)) }
        let ranking = ranger.tick(at: Timestamp(seconds: seconds)).ranking
        return try #require(ranking.beacons.first)
    }

    @Test("a receiver with enough readings counts until they are older than the level reaches back")
    func reach() throws {
        let last = try heardOnce(3, 1, after: 6)
        #expect(last.source == 1 && last.filteredRSSI == -80)
        let after = try heardOnce(3, 1, after: 6.001)
        #expect(after.source == 2 && after.filteredRSSI == -50)
    }

    @Test("another receiver is reported until its reading is older than the level reaches back")
    func reachOfOthers() throws {
        let last = try heardOnce(1, 3, after: 6)
        #expect(last.source == 2 && last.others.levels == [ReceiverLevel(source: 1, level: -80)])
        let after = try heardOnce(1, 3, after: 6.001)
        #expect(after.source == 2 && after.others.levels.isEmpty)
    }

    @Test("what comes back is heard anew, and by whom it was heard before is forgotten")
    func anew() throws {
        var ranger = Ranger()
        for source in [1, 2] as [SourceID] { ranger.add(sighting(1, at: 0, rssi: -60, source: source)) }
        _ = ranger.tick(at: Timestamp(seconds: 1))
        _ = ranger.tick(at: Timestamp(seconds: 100))
        ranger.add(sighting(1, at: 101, rssi: -70, source: 3))
        let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 101)))
        #expect(explanation.readings.map(\.source) == [3] && explanation.receivers.map(\.source) == [3])
        #expect(explanation.filteredRSSI == -70)
    }

    @Test("a receiver's correction is added to what it reads")
    func correction() throws {
        var settings = RangingSettings()
        settings.receiverCorrections = [0: 15]
        let joined = try ranked(
            [
                ScriptedBeacon(minor: 1, source: 0) { _ in -70 },
                ScriptedBeacon(minor: 1, source: 1) { _ in -60 },
            ], settings: settings)
        #expect(joined.source == 0)
        #expect(abs(try #require(joined.filteredRSSI) - -55) < 0.01)
    }

    @Test("copies that another receiver brings late do not shorten the exit time")
    func lateCopies() {
        let beacons = [
            ScriptedBeacon(minor: 1, interval: 2, source: 0) { $0 < 60 ? -70 : nil },
            ScriptedBeacon(minor: 1, interval: 2, offset: 0.3, source: 1) { $0 < 60 ? -70 : nil },
        ]
        let exits = run(script(beacons, until: 60), until: 120).times(of: .exited(beacon(1)))
        #expect(exits.count == 1)
        #expect(exits.allSatisfy { (74.0...82).contains($0) })
    }

    @Test("when the receiver that counts the intervals fails, another takes over")
    func takesOver() {
        let beacons = [
            ScriptedBeacon(minor: 1, interval: 2, source: 0) { $0 < 60 ? -70 : nil },
            ScriptedBeacon(minor: 1, interval: 0.1, offset: 0.05, source: 1) { (60.0..<120).contains($0) ? -70 : nil },
        ]
        let exits = run(script(beacons, until: 120), until: 160).times(of: .exited(beacon(1)))
        #expect(exits.count == 1)
        #expect(exits.allSatisfy { (124.0...127).contains($0) })
    }
}
