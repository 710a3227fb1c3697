import Beacon
import Ranging
import Testing

/// How much is learned of claims, and of which beacons, by way of explanations.
@Suite("The limits of what is learned about claims")
struct ClaimLimitTests {
    /// Beacons that claim -59 dBm, ten readings a second, a tick each second.
    private struct Visitor {
        var ranger: Ranger
        private(set) var now = 0.0

        init(_ change: (inout RangingSettings) -> Void = { _ in }) {
            var settings = RangingSettings()
            change(&settings)
            ranger = Ranger(settings: settings)
        }

        /// - Parameter exitTime: seconds of silence after which a beacon exits, whatever its interval.
        init(exitTime: Double) {
            self.init {
                $0.exitFloor = exitTime
                $0.exitCap = exitTime
            }
        }

        /// Goes to where these levels are, from the beacon 1 on. Nothing is learned on the way.
        mutating func stay(_ seconds: Int, _ levels: [Int8?], interval: Double = 0.1) {
            for second in 0..<seconds + 3 {
                var time = 0.0
                while time < 0.999 {
                    for (index, level) in levels.enumerated() {
                        guard let level else { continue }
                        ranger.add(sighting(UInt16(index + 1), at: now + time, rssi: level))
                    }
                    time += interval
                }
                now += 1
                _ = ranger.tick(at: Timestamp(seconds: now), isInDoubt: second < 3)
            }
        }

        func allowance(_ minor: UInt16) throws -> Double {
            try #require(ranger.explanation(of: beacon(minor), at: Timestamp(seconds: now))).allowance
        }
    }

    /// At each of two beacons the other is heard with these levels; 20 dB below what is claimed is usual.
    private func learned(
        _ firstAtSecond: Int8, _ secondAtFirst: Int8, stay: Int = 60,
        _ change: (inout RangingSettings) -> Void = { _ in }
    ) throws -> (first: Double, second: Double) {
        var visitor = Visitor(change)
        visitor.stay(stay, [-40, secondAtFirst])
        visitor.stay(stay, [firstAtSecond, -40])
        return (try visitor.allowance(1), try visitor.allowance(2))
    }

    @Test("there 6 dB stronger than usual, and back 6 dB weaker: the claims are wrong by 6 dB each, if places are sure")
    func sure() throws {
        let (first, second) = try learned(-73, -85) { $0.placeDeviation = 0.1 }
        #expect(abs(first - -6) < 0.05 && abs(second - 6) < 0.05)
    }

    @Test("the less places are sure, the less is learned of them", arguments: [(1.0, 4.0), (4, 10), (10, 100)])
    func unsure(sure: Double, unsure: Double) throws {
        let (more, less) = (
            try learned(-73, -85) { $0.placeDeviation = sure }, try learned(-73, -85) { $0.placeDeviation = unsure }
        )
        #expect(more.second > less.second + 0.1 && less.second > 0)
        #expect(abs(more.first + more.second) < 0.1, "one claims too little by what the other claims too much")
    }

    @Test("two that are both heard strongly there and back are near each other, and little wrong")
    func near() throws {
        let (first, second) = try learned(-69, -69) { $0.placeDeviation = 0.1 }
        // The 10 dB are of the loss, which is expected within 10 dB, or of both claims, whose mean is within √8 dB.
        let share = 10.0 * 8 / (8 + 100)
        #expect(abs(first + share) < 0.05 && abs(second + share) < 0.05)
        let (third, fourth) = try learned(-89, -89) { $0.placeDeviation = 0.1 }
        #expect(abs(third - share) < 0.05 && abs(fourth - share) < 0.05)
    }

    @Test("what was heard only there says less than what was heard there and back")
    func oneWay() throws {
        var visitor = Visitor { $0.placeDeviation = 0.1 }
        visitor.stay(60, [-40, -85])
        let oneWay = try visitor.allowance(2)
        #expect(oneWay > 0.2 && oneWay < 3)
        #expect(try visitor.allowance(1) == 0, "nobody was where it could be heard from")
    }

    @Test("a beacon whose power is known has nothing to learn, and the other has it all")
    func known() throws {
        let (first, second) = try learned(-73, -85) {
            $0.placeDeviation = 0.1
            $0.corrections = [BeaconConstraint(beacon(1)): BeaconCorrection(deviation: 0)]
        }
        #expect(abs(first) < 0.01 && second > 6)
    }

    @Test("no more than 12 dB are learned, to either side")
    func limit() throws {
        let (first, second) = try learned(-45, -120) {
            $0.placeDeviation = 0.1
            $0.claimDeviation = 100
            $0.measuredPowerDeviation = 100
        }
        #expect(first == -12 && second == 12)
    }

    @Test("three visits of the same result are believed as the mean of three is", arguments: [5.0, 10])
    func visits(placeDeviation: Double) throws {
        let (first, second) = try learned(-73, -85) { $0.placeDeviation = placeDeviation }
        // 6 dB, each of them known to the place's variance over three, and expected within 4 dB.
        let share = 16 / (16 + placeDeviation * placeDeviation / 3)
        #expect(abs(second - 6 * share) < 0.05 && abs(first + 6 * share) < 0.05)
    }

    @Test(
        "in which order one went to places makes no difference",
        arguments: [[3, 1, 0, 2], [1, 3, 2, 0], [2, 0, 3, 1]])
    func order(order: [Int]) throws {
        // With which level each is heard at each.
        let levels: [[Int8]] = [[-40, -85, -75, -90], [-70, -40, -99, -65], [-81, -77, -40, -72], [-66, -95, -83, -40]]
        func learned(_ order: [Int]) throws -> [Double] {
            var visitor = Visitor { $0.placeDeviation = 3 }
            for place in order { visitor.stay(40, levels[place]) }
            return try (1...4).map { try visitor.allowance($0) }
        }
        for (one, other) in zip(try learned([0, 1, 2, 3]), try learned(order)) { #expect(abs(one - other) < 0.05) }
    }

    @Test("a longer stay says more, up to a quarter of a minute")
    func stay() throws {
        let seconds = try [1, 4, 14, 60].map { try learned(-73, -85, stay: $0).second }
        #expect(seconds[0] > 0 && seconds[1] > seconds[0] + 0.2 && seconds[2] > seconds[1] + 0.2)
        #expect(abs(seconds[3] - seconds[2]) < 0.2)
    }

    @Test("a second is what it takes until something is learned")
    func second() throws {
        func learned(after seconds: [Double]) throws -> Double {
            var ranger = Ranger()
            for step in 0..<60 {
                ranger.add(sighting(1, at: Double(step) / 20, rssi: -40))
                ranger.add(sighting(2, at: Double(step) / 20, rssi: -90))
            }
            for time in seconds { _ = ranger.tick(at: Timestamp(seconds: time)) }
            return try #require(ranger.explanation(of: beacon(2), at: Timestamp(seconds: seconds.last ?? 0))).allowance
        }
        // The first tick begins the count.
        #expect(try learned(after: [3]) == 0 && learned(after: [3, 3.5]) == 0 && learned(after: [3, 3.4, 3.8]) == 0)
        #expect(try learned(after: [3, 4]) != 0 && learned(after: [3, 3.5, 4]) != 0)
        #expect(try learned(after: [3, 4]) == learned(after: [3, 3.5, 4]))
        // And a second until there is more of it.
        #expect(try learned(after: [3, 4, 4.5]) == learned(after: [3, 4]))
        #expect(try learned(after: [3, 4, 4.5, 5]) != learned(after: [3, 4]))
    }

    @Test("who leads by exactly the margin is known to be the nearest, and by less is not")
    func margin() throws {
        func isLearned(_ lead: Int8) throws -> Bool {
            var visitor = Visitor()
            visitor.stay(20, [-60, -60 - lead, -90])
            return try visitor.allowance(3) != 0
        }
        #expect(try isLearned(2) && !isLearned(1) && !isLearned(0))
    }

    @Test("nothing is learned from 500 dB on, and a little below")
    func off() throws {
        #expect(try learned(-73, -85) { $0.placeDeviation = 500 } == (0, 0))
        #expect(try learned(-73, -85) { $0.placeDeviation = 499 }.second > 0)
    }

    @Test("what is heard less than three times tells nothing, and three times do")
    func few() throws {
        func allowance(_ readings: Int) throws -> Double {
            var ranger = Ranger()
            for step in 0..<20 { ranger.add(sighting(1, at: Double(step) / 10, rssi: -40)) }
            for step in 0..<readings { ranger.add(sighting(2, at: 1 + Double(step) / 10, rssi: -95)) }
            _ = ranger.tick(at: Timestamp(seconds: 2))
            _ = ranger.tick(at: Timestamp(seconds: 3))
            return try #require(ranger.explanation(of: beacon(2), at: Timestamp(seconds: 3))).allowance
        }
        #expect(try allowance(2) == 0 && allowance(3) != 0)
    }

    @Test("of more than 24 that are heard at once, the strongest are compared")
    func capacity() throws {
        var visitor = Visitor()
        // 79 dB down is what is usual, of which nothing is learned.
        visitor.stay(4, [-40] + (0..<25).map { -80 - $0 })
        let allowances = try (1...26).map { try visitor.allowance($0) }
        // The first is where the visitor is, so that only the others are heard at another.
        #expect(allowances[0] == 0 && allowances[1...23].allSatisfy { $0 != 0 } && allowances[24...] == [0, 0])
    }

    @Test("a strong one more takes the place of the weakest, and the others keep what was learned of them")
    func weakest() throws {
        var visitor = Visitor()
        let others: [Int8?] = [-40] + Array(repeating: -80, count: 22)
        visitor.stay(4, others + [-90])
        #expect(try visitor.allowance(24) != 0)
        visitor.stay(4, others + [-90, -60])
        #expect(try visitor.allowance(24) == 0 && visitor.allowance(25) != 0)
        // They are heard alike.
        let allowances = try (2...23).map { try visitor.allowance($0) }
        #expect(allowances.allSatisfy { abs($0 - allowances[0]) < 0.01 && $0 != 0 }, "\(allowances)")
    }

    @Test("one more than 24 takes the place of the one that was not heard for longest, which is forgotten")
    func replaced() throws {
        var visitor = Visitor(exitTime: 100)
        visitor.stay(4, [-40, -80] + Array(repeating: -70, count: 22))
        #expect(try visitor.allowance(2) != 0 && visitor.allowance(24) != 0)
        // 2 falls silent, and 25 comes.
        visitor.stay(8, [-40, nil] + Array(repeating: -70, count: 23))
        #expect(try visitor.allowance(2) == 0 && visitor.allowance(24) != 0 && visitor.allowance(25) != 0)
        // It comes back and takes another's place; what was known of it is not.
        visitor.stay(8, [-40, -80, nil] + Array(repeating: -70, count: 22))
        #expect(try visitor.allowance(2) != 0 && visitor.allowance(3) == 0)
    }

    @Test("whoever takes another's place takes nothing of what was learned there")
    func replacedAnew() throws {
        func allowances(_ atSecond: Int8, _ secondElsewhere: Int8) throws -> [Double] {
            var visitor = Visitor(exitTime: 1000)
            visitor.stay(6, [-70, -40] + Array(repeating: atSecond, count: 22))
            visitor.stay(20, [-40, secondElsewhere] + Array(repeating: -70, count: 22))
            // 2 falls silent, 25 comes, and they are visited as before.
            visitor.stay(10, [-40, nil] + Array(repeating: -70, count: 23))
            visitor.stay(10, [-85, nil] + Array(repeating: -82, count: 22) + [-40])
            return try (1...25).map { try visitor.allowance($0) }
        }
        let (one, other) = (try allowances(-60, -95), try allowances(-95, -65))
        #expect(zip(one, other).allSatisfy { abs($0 - $1) < 0.02 } && one[24] != 0 && one[1] == 0)
    }

    @Test("whoever takes another's place takes nothing of how that one was heard at the nearest")
    func replacedBesideNearest() throws {
        func allowance(after level: Int8) throws -> Double {
            var visitor = Visitor(exitTime: 100)
            visitor.stay(6, [-40, level] + Array(repeating: -70, count: 22))
            // 2 falls silent, and 25 comes.
            visitor.stay(6, [-40, nil] + Array(repeating: -70, count: 23))
            #expect(try visitor.allowance(2) == 0)
            return try visitor.allowance(25)
        }
        let (one, other) = (try allowance(after: -60), try allowance(after: -95))
        #expect(abs(one - other) < 0.01 && one != 0)
    }

    @Test("of two that fell silent at once, the one that was taken in first makes room")
    func silentAtOnce() throws {
        var visitor = Visitor(exitTime: 100)
        // The strongest are taken in first.
        visitor.stay(4, [-40, -65, -85] + Array(repeating: -70, count: 21))
        #expect(try visitor.allowance(2) != 0 && visitor.allowance(3) != 0)
        visitor.stay(4, [-40, nil, nil] + Array(repeating: -70, count: 22))
        #expect(try visitor.allowance(2) == 0 && visitor.allowance(3) != 0 && visitor.allowance(25) != 0)
    }

    @Test("where the clock was set back, too, nobody who is received makes room for another who is")
    func replacedAfterSetBack() throws {
        var visitor = Visitor(exitTime: 100)
        visitor.stay(4, [-40] + Array(repeating: -70, count: 23))
        #expect(visitor.now == 7)
        // From 7 s back to 2 s, and again to 7 s without 2, but with 25. Nothing is learned on the way.
        var ranger = visitor.ranger
        _ = ranger.tick(at: Timestamp(seconds: 2))
        for second in 2..<7 {
            for step in 0..<10 {
                let time = Double(second) + Double(step) / 10
                ranger.add(sighting(1, at: time, rssi: -40))
                for minor in 3...25 as ClosedRange<UInt16> { ranger.add(sighting(minor, at: time, rssi: -70)) }
            }
            _ = ranger.tick(at: Timestamp(seconds: Double(second + 1)), isInDoubt: second < 6)
        }
        let allowances = try (3...25 as ClosedRange<UInt16>).map { minor in
            try #require(ranger.explanation(of: beacon(minor), at: Timestamp(seconds: 7))).allowance
        }
        #expect(allowances.dropLast().allSatisfy { $0 != 0 } && allowances.last == 0, "\(allowances)")
    }

    @Test("what was learned does not change which is probably nearer by the levels")
    func probability() throws {
        var visitor = Visitor()
        visitor.stay(20, [-40, -85])
        visitor.stay(20, [-73, -40])
        visitor.stay(0, [-60, -60])
        let nearest = try #require(visitor.ranger.nearestChanges.last?.challenger)
        let other = nearest == beacon(1) ? beacon(2) : beacon(1)
        let explanation = try #require(visitor.ranger.explanation(of: other, at: Timestamp(seconds: visitor.now)))
        #expect(abs(explanation.allowance) > 1)
        #expect(abs(try #require(explanation.probabilityNearer) - 0.5) < 0.001)
    }

    @Test("what is learned counts in the same tick for who is refused")
    func sameTick() throws {
        var visitor = Visitor {
            $0.nearestEvidence = 1e6
            $0.disputedEvidence = 1e6
        }
        visitor.stay(10, [-40, -90])
        var compared = 0
        for _ in 0..<8 {
            visitor.stay(1, [-73, -60])
            guard let refused = visitor.ranger.refusedChange else { continue }
            let told = visitor.ranger.explanation(of: beacon(2), at: Timestamp(seconds: visitor.now))
            #expect(abs(refused.lead - (told?.verdict?.lead ?? 0)) < 1e-6)
            compared += 1
        }
        #expect(compared == 8)
    }

    @Test("what is learned of a beacon that is not received meanwhile counts as often as it is learned")
    func notReceived() throws {
        var settings = RangingSettings()
        // For five seconds nothing but what is learned changes a standing, and the nearest stays.
        settings.levelWindow = 60
        settings.staleAge = 60
        settings.exitFloor = 100
        settings.exitCap = 100
        settings.nearestEvidence = 1e6
        settings.disputedEvidence = 1e6
        var ranger = Ranger(settings: settings)
        for time in [0, 0.1, 0.2] { ranger.add(sighting(2, at: time, rssi: -90)) }
        _ = ranger.tick(at: Timestamp(seconds: 0.5))
        for time in [0.6, 0.7, 0.8] { ranger.add(sighting(1, at: time, rssi: -50)) }
        for second in 1...4 {
            let now = Timestamp(seconds: Double(second))
            _ = ranger.tick(at: now)
            let refused = try #require(ranger.refusedChange)
            let verdict = try #require(ranger.explanation(of: beacon(1), at: now)?.verdict)
            #expect(abs(refused.lead - verdict.lead) < 1e-6, "after \(second) s")
        }
        #expect(try #require(ranger.explanation(of: beacon(2), at: Timestamp(seconds: 4))).allowance > 0.5)
    }

    @Test("a slot that another beacon has taken does not keep what was learned of the former one")
    func slots() throws {
        var visitor = Visitor {
            $0.maximumBeacons = 2
            $0.placeDeviation = 0.1
        }
        visitor.stay(20, [-40, -85])
        visitor.stay(20, [-73, -40])
        #expect(try visitor.allowance(1) < -5)
        // The first makes room for the third.
        visitor.stay(1, [nil, -40, -90])
        #expect(try visitor.allowance(3) > -1)
    }

    @Test("a beacon that has taken another's slot is not taken for that one in what is learned of the others")
    func slotsOfOthers() throws {
        var visitor = Visitor {
            $0.maximumBeacons = 2
            $0.placeDeviation = 0.1
        }
        visitor.stay(20, [-40, -85])
        visitor.stay(20, [-73, -40])
        let before = try visitor.allowance(2)
        #expect(before > 5)
        visitor.stay(10, [nil, -40, -100])
        #expect(abs(try visitor.allowance(2) - before) < 0.05)
    }
}
