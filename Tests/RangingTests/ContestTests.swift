import Beacon
import Ranging
import Testing

/// How a lead becomes a change of the nearest, by way of explanations, second by second.
@Suite("The contest for the nearest")
struct ContestTests {
    /// Beacons at even levels from 0 s on, ten readings a second, and a tick at the end of each step.
    private struct Scene {
        var ranger: Ranger
        private(set) var now = 0.0

        init(_ change: (inout RangingSettings) -> Void = { _ in }) {
            var settings = RangingSettings()
            // Nothing is learned of claims, so that the levels are all that counts.
            settings.placeDeviation = 500
            settings.levelWindow = 0.5
            change(&settings)
            ranger = Ranger(settings: settings)
        }

        /// - Parameter levels: of the beacons from 1 on; nil for one that is not heard.
        mutating func go(_ seconds: Double, _ levels: [Int8?], tick: Double = 1, isHeld: Bool = false) {
            let end = now + seconds
            while now < end - 1e-9 {
                for step in 0..<Int((tick * 10).rounded()) {
                    for (index, level) in levels.enumerated() {
                        guard let level else { continue }
                        let time = now + Double(step) / 10 + 0.05
                        ranger.add(sighting(UInt16(index + 1), at: time, rssi: level))
                    }
                }
                now += tick
                _ = ranger.tick(at: Timestamp(seconds: now), isInDoubt: isHeld)
            }
        }

        /// The clock is set.
        mutating func jump(to seconds: Double) {
            now = seconds
            _ = ranger.tick(at: Timestamp(seconds: now))
        }

        func explained(_ minor: UInt16) throws -> BeaconExplanation {
            try #require(ranger.explanation(of: beacon(minor), at: Timestamp(seconds: now)))
        }

        func verdict(_ minor: UInt16) throws -> NearestDecision {
            let explanation = try explained(minor)
            return try #require(explanation.verdict)
        }

        var nearest: UInt16? { ranger.nearestChanges.last?.challenger?.minor }
    }

    @Test(
        "what leads by more than the margin gathers the excess second by second, 16 dB of it at most",
        arguments: [(3, 1.0), (4, 2), (10, 8), (18, 16), (40, 16)] as [(Int8, Double)])
    func evidence(lead: Int8, perSecond: Double) throws {
        var scene = Scene {
            $0.nearestEvidence = 1000
            $0.disputedEvidence = 1000
        }
        scene.go(3, [-80, -95])
        // What a tick says goes by the level then: the window holds nothing else after the first.
        for second in 1...5 {
            scene.go(1, [-80, -80 + lead])
            let verdict = try scene.verdict(2)
            #expect(abs(verdict.lead - Double(lead)) < 1e-9 && verdict.reason == .tooShort)
            #expect(abs(verdict.evidence - perSecond * Double(second)) < 1e-6)
        }
        // Being behind takes it back as fast, and nothing is owed.
        scene.go(1, [-80, -80 + lead - 2 * (lead - 2)])
        #expect(try scene.verdict(2).evidence < 5 * perSecond)
        scene.go(6, [-60, -100])
        #expect(try scene.verdict(2).evidence == 0)
    }

    @Test("one second takes back as much as one second gives at most")
    func takesBack() throws {
        var scene = Scene {
            $0.nearestEvidence = 1000
            $0.disputedEvidence = 1000
        }
        scene.go(3, [-80, -120])
        scene.go(3, [-80, -40])
        #expect(abs(try scene.verdict(2).evidence - 48) < 1e-9)
        scene.go(1, [-80, -120])
        #expect(abs(try scene.verdict(2).evidence - 32) < 1e-9)
    }

    @Test(
        "what is needed is enough to the last bit, alone and where others dispute the place", arguments: [false, true])
    func justEnough(isDisputed: Bool) {
        var scene = Scene {
            $0.nearestEvidence = 4
            $0.disputedEvidence = isDisputed ? 6 : 100
        }
        scene.go(3, [-80, -95, -95])
        // 2 dB beyond the margin.
        scene.go(isDisputed ? 2 : 1, [-80, -76, isDisputed ? -76 : -95])
        #expect(scene.nearest == 1)
        scene.go(1, [-80, -76, isDisputed ? -76 : -95])
        #expect(scene.nearest == 2)
    }

    @Test("a lead of exactly the margin says nothing, however long it lasts")
    func margin() throws {
        var scene = Scene()
        scene.go(3, [-80, -95])
        scene.go(30, [-80, -78])
        let explanation = try scene.explained(2)
        let verdict = try #require(explanation.verdict)
        #expect(verdict.reason == .withinMargin && verdict.lead == 2 && verdict.evidence == 0)
        #expect(explanation.secondsToNearest == nil && scene.nearest == 1)
        #expect(scene.ranger.refusedChange?.reason == .withinMargin)
    }

    @Test("an equal level is behind")
    func equal() throws {
        var scene = Scene()
        scene.go(3, [-80, -95])
        scene.go(3, [-80, -80])
        #expect(try scene.verdict(2).reason == .behind && scene.verdict(2).lead == 0)
    }

    @Test(
        "with the defaults a lead of 6 dB needs one second, a lead of 4 dB two, and of 3 dB four",
        arguments: [(6, 1.0), (4, 2), (3, 4)] as [(Int8, Double)])
    func defaults(lead: Int8, seconds: Double) {
        var scene = Scene()
        scene.go(3, [-80, -95])
        scene.go(0.5, [-80, -80 + lead], isHeld: true)
        var taken = 0.0
        while scene.nearest == 1, taken < 10 {
            scene.go(0.1, [-80, -80 + lead], tick: 0.1)
            taken += 0.1
        }
        #expect(scene.nearest == 2 && (seconds - 0.6...seconds + 0.05).contains(taken), "\(taken)")
    }

    @Test("it is the nearest after the seconds that were told, if its lead stays", arguments: [3, 4, 6] as [Int8])
    func seconds(lead: Int8) throws {
        var scene = Scene {
            $0.nearestEvidence = 10
            $0.disputedEvidence = 100
        }
        scene.go(3, [-80, -95])
        scene.go(1, [-80, -80 + lead])
        let told = try #require(try scene.explained(2).secondsToNearest)
        let evidence = try scene.verdict(2).evidence
        #expect(told > 1 && evidence > 0)
        var taken = 0.0
        while scene.nearest == 1, taken < 20 {
            scene.go(0.1, [-80, -80 + lead], tick: 0.1)
            taken += 0.1
        }
        #expect(abs(taken - told) < 0.101, "\(taken) and not \(told)")
    }

    @Test("where another leads, what led for long enough before needs no seconds more, and never less than none")
    func secondsOfDisputed() throws {
        var scene = Scene {
            $0.nearestEvidence = 1000
            $0.disputedEvidence = 1000
            $0.decisiveDeviations = 0
        }
        scene.go(3, [-80, -95, -95])
        scene.go(10, [-80, -60, -61])
        var settings = scene.ranger.settings
        settings.disputedEvidence = 150
        settings.nearestEvidence = 150
        _ = scene.ranger.apply(settings, at: Timestamp(seconds: scene.now))
        let explanation = try scene.explained(3)
        #expect(try scene.verdict(3).evidence > 150 && explanation.secondsToNearest == 0)
    }

    @Test("what was gathered against the nearest alone is taken back as well, to the last bit", arguments: [0.5, 3])
    func takenBack(seconds: Double) throws {
        var scene = Scene()
        scene.go(3, [-80, -95, -95])
        scene.go(seconds, [-80, -77, -77], tick: 0.5)
        #expect(abs(try scene.verdict(2).evidence - seconds) < 1e-9 && scene.nearest == 1)
        scene.go(1, [-80, -80, -80], tick: 0.5)
        #expect(abs(try scene.verdict(2).evidence - max(0, seconds - 2)) < 1e-9)
        scene.go(1, [-80, -100, -100], tick: 0.5)
        #expect(try scene.verdict(2).evidence == 0)
    }

    @Test("beacons that are heard more strongly than at one metre contend as others do")
    func strong() {
        var scene = Scene()
        scene.go(3, [-45, -60])
        scene.go(3, [-45, -30])
        #expect(scene.nearest == 2)
    }

    @Test("the first choice, and the one after an exit, had nothing to compare")
    func nothingToCompare() throws {
        var scene = Scene()
        scene.go(3, [-60])
        scene.go(8, [nil, -80])
        #expect(scene.ranger.nearestChanges.map(\.reason) == [.first, .gone])
        for change in scene.ranger.nearestChanges {
            #expect(change.lead == 0 && change.evidence == 0 && change.needed == 0)
        }
    }

    // MARK: - Taking turns

    /// The second has just taken the place of the first, which has not been far behind.
    private func left(_ change: (inout RangingSettings) -> Void = { _ in }) -> Scene {
        var scene = Scene(change)
        scene.go(3, [-77, -95])
        scene.go(3, [-80, -74], tick: 0.5)
        return scene
    }

    @Test("who was left needs more to come back, and half of what was added after the half-life")
    func halfLife() throws {
        var scene = left { $0.returnPenaltyHalfLife = 100 }
        try #require(scene.nearest == 2)
        let leftAt = try #require(scene.ranger.nearestChanges.last?.time)
        for age in [3.0, 100, 200] {
            scene.go(age - (scene.now - leftAt.seconds), [-77, -74], tick: 0.5)
            // One and a half times the half-life and so on; what it is at first is five times more.
            let half = 1 / powerOfTen(0.30103 * age / 100)
            #expect(abs(try scene.verdict(1).needed - 3.5 * (1 + 5 * half)) < 0.01, "after \(age) s")
        }
    }

    @Test("however high the penalty is, it has its limit")
    func limit() throws {
        var scene = left { $0.returnPenalty = 100 }
        scene.go(1, [-77, -74])
        #expect(abs(try scene.verdict(1).needed - 3.5 * 15) < 1e-9)
    }

    @Test("who was never left needs no more than usual, and nor does whoever leads beyond doubt")
    func free() throws {
        var scene = left { $0.partingEvidence = 1e6 }
        scene.go(1, [-77, -74, -80])
        #expect(try scene.verdict(3).needed == 3.5)
        scene.go(1, [-50, -74, -80], isHeld: true)
        #expect(try scene.verdict(1).needed == 3.5, "24 dB are more than seven deviations")
        scene.go(1, [-73, -74, -80], isHeld: true)
        #expect(try scene.verdict(1).needed > 3.5 * 5, "1 dB is not")
        scene.go(1, [-69, -74, -80], isHeld: true)
        #expect(try scene.verdict(1).needed > 3.5 * 5, "nor are 5 dB")
    }

    @Test("a lead of exactly seven standard deviations is beyond doubt, and a smaller one is not")
    func decisive() throws {
        // Three equal readings at 3 dB each: the level has a variance of 2 dB², and the lead one of 4 dB².
        var scene = left {
            $0.levelWindow = 0.3
            $0.readingDeviation = 3
            $0.partingEvidence = 1e6
        }
        try #require(scene.nearest == 2)
        scene.go(1, [-60, -74], isHeld: true)
        #expect(try scene.verdict(1).lead == 14 && scene.verdict(1).needed == 3.5)
        scene.go(1, [-61, -74], isHeld: true)
        #expect(try scene.verdict(1).lead == 13 && scene.verdict(1).needed > 3.5 * 5)
    }

    @Test("where the nearest was left before as well, both count")
    func both() throws {
        var scene = Scene {
            $0.partingEvidence = 1e6
            $0.returnPenalty = 1
        }
        scene.go(3, [-77, -95])
        scene.go(3, [-95, -74])
        #expect(abs(try scene.verdict(1).needed - 3.5 * 2) < 0.01)
        scene.go(3, [-74, -95])
        #expect(scene.nearest == 1)
        scene.go(1, [-74, -95, -80])
        #expect(try scene.verdict(3).needed == 3.5, "it takes turns with nobody")
        // It was left once, and so was the one that it came back to.
        #expect(abs(try scene.verdict(2).needed - 3.5 * 3) < 0.01)
        scene.go(3, [-95, -74])
        #expect(abs(try scene.verdict(1).needed - 3.5 * 4) < 0.01)
    }

    @Test("who was left further behind than the parting margin for long enough comes back as if for the first time")
    func parting() throws {
        var scene = left { $0.returnPenaltyHalfLife = 1e6 }
        // 8 dB behind say nothing; 18 dB say 10 dB · s each second, of which 60 are needed.
        scene.go(20, [-82, -74])
        #expect(try scene.verdict(1).needed > 20)
        var seconds = 0
        while try scene.verdict(1).needed > 4, seconds < 20 {
            scene.go(1, [-92, -74])
            seconds += 1
        }
        #expect(seconds == 6)
        #expect(try scene.verdict(1).needed == 3.5)
    }

    @Test(
        "how far it was behind is summed up to the last bit of what is needed",
        arguments: [(18, 0.1, 60), (50, 0.2, 19)])
    func partingSum(deficit: Int8, tick: Double, ticks: Int) throws {
        var scene = left { $0.returnPenaltyHalfLife = 1e6 }
        scene.go(2, [-78, -74])
        // The window is as long as a tick, or holds what was before.
        scene.go(0.5, [-74 - deficit, -74], tick: 0.5, isHeld: true)
        let before = try scene.verdict(1).needed
        scene.go(Double(ticks - 1) * tick, [-74 - deficit, -74], tick: tick)
        #expect(try scene.verdict(1).needed > 0.99 * before)
        scene.go(tick, [-74 - deficit, -74], tick: tick)
        #expect(try scene.verdict(1).needed == 3.5)
    }

    /// The second has just taken the place of the first, which fell 18 dB behind within a tick.
    private func overtaken(_ change: (inout RangingSettings) -> Void) throws -> Scene {
        var scene = Scene(change)
        scene.go(3, [-77, -95])
        scene.go(1, [-92, -74])
        try #require(scene.nearest == 2)
        return scene
    }

    @Test("being behind counts from the tick after the one at which it was left, and from nothing")
    func partingBegins() throws {
        var scene = try overtaken {
            $0.returnPenaltyHalfLife = 1e6
            $0.partingEvidence = 10.5
        }
        // 18 dB behind: 10 dB · s each second.
        scene.go(1, [-92, -74])
        #expect(try scene.verdict(1).needed > 20)
        scene.go(1, [-92, -74])
        #expect(try scene.verdict(1).needed == 3.5)
    }

    @Test("one second ahead takes back 16 dB · s at most of how far it was behind")
    func partingTakenBack() throws {
        var scene = try overtaken {
            $0.returnPenaltyHalfLife = 1e6
            $0.partingEvidence = 43.5
            // No lead is beyond doubt, so that one second is not enough to come back.
            $0.decisiveDeviations = 1000
        }
        // 10 dB · s each second, and 16 dB · s less in one second.
        scene.go(4, [-92, -74])
        scene.go(1, [-44, -74])
        try #require(scene.nearest == 2)
        scene.go(1, [-92, -74])
        #expect(try scene.verdict(1).needed > 20, "34 dB · s")
        scene.go(1, [-92, -74])
        #expect(try scene.verdict(1).needed == 3.5, "44 dB · s")
    }

    @Test("the little that is left of a penalty ends by parting as well")
    func partingEndsLittle() throws {
        var scene = try overtaken {
            $0.returnPenaltyHalfLife = 2
            $0.returnPenalty = 1000
            $0.returnPenaltyLimit = 1000
            $0.partingEvidence = 125
        }
        // After six half-lives 1/64 is left: more than 15 times what is usual. It is 120 dB · s behind.
        scene.go(12, [-92, -74])
        #expect(try scene.verdict(1).needed > 50)
        scene.go(1, [-92, -74])
        #expect(try scene.verdict(1).needed == 3.5)
    }

    /// The first is the nearest, and the second 40 dB stronger. Both were received once, and count as fresh all the
    /// time, so that many ticks take little time.
    private func lasting(_ change: (inout RangingSettings) -> Void) -> Ranger {
        var settings = RangingSettings()
        settings.placeDeviation = 500
        settings.staleAge = 86_400
        settings.exitFloor = 86_400
        settings.exitCap = 86_400
        change(&settings)
        var ranger = Ranger(settings: settings)
        ranger.add(sighting(1, at: 2, rssi: -80))
        _ = ranger.tick(at: Timestamp(seconds: 2))
        ranger.add(sighting(2, at: 2, rssi: -40))
        return ranger
    }

    @Test("the greatest evidence that can be set is reached: 1,000,000 dB · s")
    func greatestEvidence() {
        var ranger = lasting {
            $0.nearestEvidence = 1e6
            $0.disputedEvidence = 1e6
        }
        // 16 dB for 2 s at each tick.
        for tick in 1...31_249 { _ = ranger.tick(at: Timestamp(seconds: 2 + 2 * Double(tick))) }
        #expect(ranger.nearestChanges.last?.challenger == beacon(1))
        _ = ranger.tick(at: Timestamp(seconds: 62_502))
        #expect(ranger.nearestChanges.last?.challenger == beacon(2))
    }

    @Test("the greatest parting evidence that can be set is reached: 1,000,000 dB · s")
    func greatestParting() throws {
        var ranger = lasting {
            $0.partingEvidence = 1e6
            $0.returnPenaltyHalfLife = 1e6
        }
        func needed(_ seconds: Double) throws -> Double {
            let explanation = ranger.explanation(of: beacon(1), at: Timestamp(seconds: seconds))
            return try #require(explanation?.verdict?.needed)
        }
        // The second becomes the nearest at the first tick. Each further one is 16 dB for 2 s.
        for tick in 1...31_250 { _ = ranger.tick(at: Timestamp(seconds: 2 + 2 * Double(tick))) }
        try #require(ranger.nearestChanges.last?.challenger == beacon(2))
        #expect(try needed(62_502) > 17)
        _ = ranger.tick(at: Timestamp(seconds: 62_504))
        #expect(try needed(62_504) == 3.5)
    }

    @Test("who falls silent has not gone away by that")
    func silentIsNotApart() throws {
        var scene = left {
            $0.returnPenaltyHalfLife = 1e6
            $0.exitFloor = 100
            $0.exitCap = 100
        }
        scene.go(30, [nil, -74])
        scene.go(1, [-78, -74])
        #expect(try scene.verdict(1).needed > 20)
    }

    @Test("a penalty is full at the instant of the change, and begins to fade at once")
    func fadesAtOnce() throws {
        var scene = Scene { $0.returnPenaltyHalfLife = 1 }
        scene.go(3, [-77, -95])
        while scene.nearest == 1, scene.now < 10 { scene.go(0.5, [-80, -74], tick: 0.5) }
        #expect(abs(try scene.verdict(1).needed - 3.5 * 6) < 1e-9)
        scene.go(0.5, [-80, -74], tick: 0.5)
        #expect(abs(try scene.verdict(1).needed - 3.5 * (1 + 5 / 2.0.squareRoot())) < 0.001)
    }

    @Test("a penalty fades after the clock was set back, too")
    func setBack() throws {
        var scene = Scene { $0.returnPenaltyHalfLife = 10 }
        scene.jump(to: 10_000)
        scene.go(3, [-77, -95])
        scene.go(3, [-80, -74], tick: 0.5)
        scene.jump(to: 100)
        scene.go(10, [-78, -74])
        let needed = try scene.verdict(1).needed
        #expect(needed > 3.5 && needed < 3.5 * 3.6)
    }

    @Test("a penalty is kept where it is behind by the margin only, and lost the sooner the farther it is behind")
    func partingPace() throws {
        func seconds(_ level: Int8) throws -> Int {
            var scene = left { $0.returnPenaltyHalfLife = 1e6 }
            scene.go(10, [-75, -74])
            var seconds = 0
            while try scene.verdict(1).needed > 4, seconds < 100 {
                scene.go(1, [level, -74])
                seconds += 1
            }
            return seconds
        }
        // 16 dB · s each second at most, the first of them with the window half full.
        #expect(try seconds(-120) == seconds(-100) && (4...5).contains(seconds(-120)))
        #expect(try seconds(-87) > seconds(-92) && seconds(-82) == 100)
    }

    // MARK: - Reasons

    @Test("an explanation tells the changes that a beacon had a part in, and no others")
    func decisions() throws {
        var scene = Scene()
        scene.go(3, [-60, -90, -90])
        scene.go(3, [-90, -60, -90])
        scene.go(3, [-90, -90, -60])
        let told = try (1...3).map { minor in try scene.explained(UInt16(minor)).decisions }
        #expect(told.map { $0.map(\.challenger?.minor) } == [[1, 2], [2, 3], [3]])
        #expect(told[0].map(\.reason) == [.first, .ledAll])
    }

    @Test("who led the nearest for long enough takes its place, though another disputes it")
    func disputed() throws {
        var scene = Scene()
        scene.go(3, [-60, -95, -95])
        scene.go(8, [-85, -80, -81])
        let last = try #require(scene.ranger.nearestChanges.last)
        #expect(last.reason == .ledNearest && last.challenger == beacon(2))
        // 3 dB · s each second, of which 12 are needed.
        #expect(last.needed == 12 && last.evidence >= 12 && last.evidence < 12 + 3.1)
    }

    @Test("the verdict tells the way that is nearer to its end")
    func ways() throws {
        var scene = Scene {
            $0.nearestEvidence = 10
            $0.disputedEvidence = 20
        }
        scene.go(3, [-80, -95, -95])
        scene.go(2, [-80, -76, -95])
        // Alone it leads all as it leads the nearest.
        #expect(try scene.verdict(2).needed == 10)
        scene.go(1, [-80, -76, -76])
        #expect(try scene.verdict(2).needed == 20, "beside another it only leads the nearest")
    }

    @Test("who has not been heard lately is not judged by its level")
    func stale() throws {
        var scene = Scene()
        scene.go(5, [-70, -80])
        scene.go(4, [-70, nil])
        #expect(try scene.verdict(2).reason == .stale)
        #expect(try scene.explained(2).secondsToNearest == nil)
    }
}
