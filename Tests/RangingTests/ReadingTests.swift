import Beacon
import Ranging
import Testing

/// What is made of given readings, by way of explanations, which work it out anew at any instant.
@Suite("From readings to a level")
struct ReadingTests {
    private func explained(
        _ readings: [(seconds: Double, rssi: Int8)], at end: Double, settings: RangingSettings = .init()
    ) throws -> BeaconExplanation {
        var ranger = Ranger(settings: settings)
        for (seconds, rssi) in readings { ranger.add(sighting(1, at: seconds, rssi: rssi)) }
        return try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: end)))
    }

    /// All within one window.
    private func explained(_ levels: [Int8], settings: RangingSettings = .init()) throws -> BeaconExplanation {
        try explained(levels.enumerated().map { (Double($0.offset) / 20, $0.element) }, at: 1.5, settings: settings)
    }

    private func settings(_ change: (inout RangingSettings) -> Void) -> RangingSettings {
        var settings = RangingSettings()
        change(&settings)
        return settings
    }

    // MARK: - The window

    @Test("one reading is its own level, as uncertain as a reading is", arguments: [1.0, 5, 8])
    func one(deviation: Double) throws {
        let explanation = try explained([-73], settings: settings { $0.readingDeviation = deviation })
        #expect(explanation.filteredRSSI == -73)
        #expect(abs(try #require(explanation.variance) - deviation * deviation) < 1e-9)
        let mean = try explained(
            [-73],
            settings: settings {
                $0.readingDeviation = deviation
                $0.levelAlgorithm = .altBeaconMean
            })
        #expect(mean.filteredRSSI == -73)
        #expect(abs(try #require(mean.variance) - deviation * deviation) < 1e-9)
    }

    @Test(
        "readings that scatter as is expected have a mean that is as certain as theirs",
        arguments: [[-75, -70, -65], [-70, -70, -70, -60], [-60, -70, -70, -70]] as [[Int8]])
    func expectedScatter(levels: [Int8]) throws {
        let explanation = try explained(levels, settings: settings { $0.strengthBias = 0 })
        let count = Double(levels.count)
        let mean = levels.reduce(0) { $0 + Double($1) } / count
        #expect(abs(try #require(explanation.filteredRSSI) - mean) < 1e-9)
        // Their own variance is 25 dB², and so is that of a reading by default.
        #expect(abs(try #require(explanation.variance) - 25 / count) < 1e-9)
    }

    @Test("each further reading of the same level makes it more certain")
    func more() throws {
        let variances = try (1...24).map { count in
            try #require(try explained(Array(repeating: -70, count: count)).variance)
        }
        #expect(zip(variances, variances.dropFirst()).allSatisfy { $0 > $1 && $1 > 0 })
        #expect(variances[23] < 1)
    }

    @Test("the level is the mean power of its readings where the bias is 1, and the mean of dBm where it is 0")
    func bias() throws {
        func level(_ bias: Double) throws -> Double {
            try #require(try explained([-60, -70], settings: settings { $0.strengthBias = bias }).filteredRSSI)
        }
        #expect(abs(try level(0) - -65) < 1e-9)
        #expect(try abs(level(1e-6) - -65) < 0.001 && abs(level(1e-5) - -65) < 0.001)
        // 10 · log10((10^-6 + 10^-7) / 2)
        #expect(abs(try level(1) - -62.5964) < 0.0001)
        #expect(try level(0.5) > level(0) && level(0.5) < level(1) && level(3) > level(1) && level(3) < -60)
    }

    @Test(
        "a reading that is far too strong is cut at 15 dB among up to eight, at 12 among sixteen and more",
        arguments: [(3, 15.0), (4, 15), (8, 15), (12, 13.5), (16, 12), (20, 12), (24, 12)])
    func cut(count: Int, limit: Double) throws {
        let levels = [-20] + [Int8](repeating: -70, count: count - 1)
        let explanation = try explained(levels, settings: settings { $0.strengthBias = 0 })
        #expect(abs(try #require(explanation.filteredRSSI) - -70 - limit / Double(count)) < 1e-9)
    }

    @Test(
        "the limit lies above the middle of the readings, of an even number above the lower of both",
        arguments: [([-20, -70, -90], -71.6667), ([-20, -70, -80, -90], -76.25), ([-20, -60, -70, -80, -90], -71)]
            as [([Int8], Double)])
    func middle(levels: [Int8], expected: Double) throws {
        let explanation = try explained(levels, settings: settings { $0.strengthBias = 0 })
        #expect(abs(try #require(explanation.filteredRSSI) - expected) < 0.001)
    }

    @Test("of two readings that are far apart the weaker is believed as far as the limit")
    func two() throws {
        let explanation = try explained([-20, -70], settings: settings { $0.strengthBias = 0 })
        #expect(abs(try #require(explanation.filteredRSSI) - -62.5) < 1e-9)
    }

    @Test("a window reaches to the reading that is exactly as old as it is long, and no farther")
    func window() throws {
        let readings = [(0.0, -50), (2.0, -70)] as [(Double, Int8)]
        let own = settings { $0.minimumReadings = 1 }
        #expect(try explained(readings, at: 2, settings: own).receivers.map(\.count) == [2])
        #expect(try explained(readings, at: 2.001, settings: own).receivers.map(\.count) == [1])
    }

    @Test("a beacon that is heard rarely reaches back for the readings that it lacks, and for no more")
    func reach() throws {
        // Every 3 s: the learned interval says how far it goes back.
        let readings = (0...40).map { (Double($0) * 3, Int8(-70)) }
        func count(_ minimum: Int, _ reach: Double) throws -> [Int] {
            try explained(
                readings, at: 120,
                settings: settings {
                    $0.minimumReadings = minimum
                    $0.levelReach = reach
                }
            ).receivers.map(\.count)
        }
        #expect(try count(3, 10) == [3] && count(2, 10) == [2] && count(4, 10) == [4])
        #expect(try count(5, 10) == [4], "the fifth is 12 s old")
        #expect(try count(3, 6) == [3] && count(3, 5.9) == [2])
    }

    @Test("a beacon that is heard often reaches back five seconds for what it lacks")
    func reachOfFrequent() throws {
        // Ten times a second up to 20 s, and then twice more.
        let readings = (0...200).map { (Double($0) / 10, Int8(-70)) }
        func count(_ end: Double) throws -> [Int] { try explained(readings, at: end).receivers.map(\.count) }
        #expect(try count(22) == [3])
        #expect(try count(24.8) == [3] && count(24.9) == [2] && count(25) == [1])
        // Where nothing is recent the last reading stands.
        #expect(try count(26) == [1])
    }

    @Test("where nothing is recent the last reading stands, and none before it")
    func last() throws {
        #expect(try explained([(0, -50), (1, -70)], at: 20).filteredRSSI == -70)
    }

    @Test("a short window ages from its end on, not before")
    func shortWindow() throws {
        for (end, more) in [(0.0, 0.0), (0.5, 0), (0.99, 0), (1, 2), (1.5, 4)] {
            let explanation = try explained([(0, -70)], at: end, settings: settings { $0.levelWindow = 0.5 })
            #expect(abs(try #require(explanation.variance) - 25 - more) < 1e-9, "at \(end) s")
        }
    }

    @Test("a level that gets no readings becomes less certain by 4 dB² a second, after its window")
    func age() throws {
        func variance(_ end: Double) throws -> Double {
            try #require(try explained([(0, -70)], at: end).variance)
        }
        for (end, more) in [(0.0, 0.0), (1.9, 0), (2, 0), (2.49, 0), (2.5, 2), (2.99, 2), (3, 4), (4, 8), (12, 40)] {
            #expect(abs(try variance(end) - 25 - more) < 1e-9, "at \(end) s")
        }
    }

    @Test("a beacon that comes back has a level that ages from its return on")
    func ageAfterReturn() throws {
        var ranger = Ranger()
        // More than are kept, so that times from before are left in all places.
        for step in 0..<30 { ranger.add(sighting(1, at: Double(step) / 10, rssi: -60)) }
        _ = ranger.tick(at: Timestamp(seconds: 3))
        #expect(ranger.tick(at: Timestamp(seconds: 50)).events.contains(.exited(beacon(1))))
        ranger.add(sighting(1, at: 100, rssi: -70))
        let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 104)))
        #expect(explanation.readings.map(\.rssi) == [-70] && explanation.filteredRSSI == -70)
        // As that of a beacon that was heard once, 4 s ago.
        #expect(abs(try #require(explanation.variance) - 25 - 8) < 1e-9)
    }

    // MARK: - Readings that are kept

    @Test("the latest 24 readings are kept, with their times to a tenth of a millisecond, the latest first")
    func kept() throws {
        let readings: [(Double, Int8)] = (0..<60).map { (number: Int) in
            let time: Double = 1_700_000_000 + Double(number) * 0.0137
            return (time, Int8(number - 100))
        }
        let explanation = try explained(readings, at: 1_700_000_001)
        let latest: [Int8] = (36..<60).reversed().map { (number: Int) in Int8(number - 100) }
        #expect(explanation.readings.map(\.rssi) == latest)
        for (kept, given) in zip(explanation.readings, readings.reversed()) {
            #expect(abs(kept.time.elapsed(since: Timestamp(seconds: given.0))) <= 0.0001)
        }
    }

    @Test("what was read at the same instant is told the latest first, then in the order of the receivers")
    func sameInstant() throws {
        var ranger = Ranger()
        for (rssi, source) in [(-61, 5), (-62, 5), (-63, 2)] as [(Int8, SourceID)] {
            ranger.add(sighting(1, at: 1, rssi: rssi, source: source))
        }
        let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 1)))
        #expect(explanation.readings.map(\.source) == [2, 5, 5])
        #expect(explanation.readings.map(\.rssi) == [-63, -62, -61])
    }

    @Test("a beacon that is heard for days has the times of its readings right", arguments: [59.0, 60, 130, 1000])
    func days(hours: Double) throws {
        let last = hours * 3600
        let readings = [(0.0, -60), (last, -70), (last + 1, -71), (last + 1.5, -72)] as [(Double, Int8)]
        let explanation = try explained(readings, at: last + 1.5)
        #expect(
            explanation.readings.prefix(3).map(\.time)
                == [last + 1.5, last + 1, last].map { Timestamp(seconds: $0) })
        // After 59 hours and 39 minutes the time of the first can be kept no more.
        #expect(explanation.readings.map(\.rssi) == [-72, -71, -70] + (hours < 59.6 ? [-60] : []))
        #expect(explanation.receivers.map(\.count) == [3])
    }

    @Test(
        "a reading of 59 hours, 39 minutes and 8.3648 s before the latest is kept, and an older one is not",
        arguments: [(214_748.3648, [-70, -60]), (214_748.3649, [-70])] as [(Double, [Int8])])
    func farthest(age: Double, kept: [Int8]) throws {
        let explanation = try explained([(0, -60), (age, -70)], at: age)
        #expect(explanation.readings.map(\.rssi) == kept)
        #expect(explanation.readings.map(\.time) == [age, 0].prefix(kept.count).map { Timestamp(seconds: $0) })
    }

    @Test("where the oldest reading is too old to be kept, the others keep their times")
    func partlyForgotten() throws {
        let explanation = try explained([(0, -60), (214_000, -61), (214_758, -62)], at: 214_758)
        #expect(explanation.readings.map(\.rssi) == [-62, -61])
        #expect(explanation.readings.map(\.time) == [214_758, 214_000].map { Timestamp(seconds: $0) })
    }

    @Test(
        "59 hours, 39 minutes and 8.3647 s after the first reading a late one from before it is kept, and then not",
        arguments: [(214_748.3647, [-70, -60, -61]), (214_748.3648, [-70])] as [(Double, [Int8])])
    func lateLongAgo(age: Double, kept: [Int8]) throws {
        let explanation = try explained([(10, -60), (9, -61), (10 + age, -70)], at: 10 + age)
        #expect(explanation.readings.map(\.rssi) == kept)
    }

    @Test("where the clock is set back, what was read ahead of it is of now", arguments: [50.0, 1e6, 1e9])
    func setBack(ahead: Double) throws {
        var ranger = Ranger()
        for (seconds, rssi) in [(5.0, -60), (10 + ahead, -70), (10 + ahead + 1, -71)] as [(Double, Int8)] {
            ranger.add(sighting(1, at: seconds, rssi: rssi))
        }
        _ = ranger.tick(at: Timestamp(seconds: 10))
        let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 10)))
        // A reading from so long before them is forgotten.
        #expect(explanation.readings.map(\.rssi).sorted() == [-71, -70] + (ahead < 200_000 ? [-60] : []))
        #expect(explanation.readings.filter { $0.rssi < -65 }.allSatisfy { $0.time == Timestamp(seconds: 10) })
        #expect(explanation.readings.allSatisfy { $0.time <= Timestamp(seconds: 10) })
        #expect(explanation.silence == 0)
    }

    @Test("where the clock is set back before all readings, all are of now", arguments: [30, 1e6])
    func setBackBefore(ahead: Double) throws {
        var ranger = Ranger()
        // More than are kept, so that the first place is not of the first reading.
        for step in 0..<30 { ranger.add(sighting(1, at: ahead + Double(step), rssi: -60)) }
        _ = ranger.tick(at: Timestamp(seconds: 10))
        let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 10)))
        #expect(explanation.readings.count == 24)
        #expect(explanation.readings.allSatisfy { $0.time == Timestamp(seconds: 10) })
    }

    @Test("where the clock is set back, a late reading from before that time is kept", arguments: [50, 214_748, 1e6])
    func lateAfterSetBack(ahead: Double) throws {
        var ranger = Ranger()
        ranger.add(sighting(1, at: 10 + ahead, rssi: -70))
        _ = ranger.tick(at: Timestamp(seconds: 10))
        ranger.add(sighting(1, at: 9, rssi: -72))
        let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 10)))
        #expect(explanation.readings.map(\.rssi) == [-70, -72])
        #expect(explanation.readings.map(\.time) == [10, 9].map { Timestamp(seconds: $0) })
    }

    // MARK: - Other algorithms

    @Test(
        "the mean of 20 s leaves out a tenth and one more at each end",
        arguments: [(1, 0), (2, 0), (3, 1), (4, 1), (9, 1), (10, 2), (19, 2), (20, 3), (24, 3)])
    func trimmed(count: Int, cut: Int) throws {
        let own = settings { $0.levelAlgorithm = .altBeaconMean }
        // Far apart enough to be taken; the stronger the later, and the more so.
        let levels: [Double] = (0..<count).map { (step: Int) in Double(step * (step + 3) / 6) - 120 }
        let readings = levels.enumerated().map { (Double($0.offset) * 0.834, Int8($0.element)) }
        let explanation = try explained(readings, at: Double(count - 1) * 0.834, settings: own)
        let middle = levels[cut..<count - cut]
        let mean = middle.reduce(0, +) / Double(middle.count)
        #expect(abs(try #require(explanation.filteredRSSI) - mean) < 1e-9)
    }

    @Test("what is left of a trimmed mean scatters as expected where it is as certain as its number says")
    func trimmedVariance() throws {
        let own = settings { $0.levelAlgorithm = .altBeaconMean }
        let readings = ([-110, -70, -70, -70, -60, -20] as [Int8]).enumerated().map { (Double($0.offset), $0.element) }
        #expect(abs(try #require(try explained(readings, at: 5, settings: own).variance) - 25.0 / 4) < 1e-9)
    }

    @Test("the mean of 20 s takes readings that are spread over them")
    func spread() throws {
        let own = settings { $0.levelAlgorithm = .altBeaconMean }
        let readings = (0...400).map { (Double($0) / 10, Int8(-70)) }
        let times = try explained(readings, at: 40, settings: own).readings.map(\.time.seconds)
        #expect(times.count == 24)
        #expect(zip(times, times.dropFirst()).allSatisfy { (0.83...0.91).contains($0 - $1) })
        // Exactly 20 s old counts, and more does not.
        let two = [(0.0, -50), (20.0, -70)] as [(Double, Int8)]
        #expect(try explained(two, at: 20, settings: own).receivers.map(\.count) == [2])
        #expect(try explained(two, at: 20.01, settings: own).receivers.map(\.count) == [1])
    }

    @Test(
        "each algorithm begins with its first reading and goes its share of the way to the second",
        arguments: [(LevelAlgorithm.arma, -89.0), (.ewma, -87)])
    func share(algorithm: LevelAlgorithm, second: Double) throws {
        let own = settings { $0.levelAlgorithm = algorithm }
        #expect(try explained([-90], settings: own).filteredRSSI == -90)
        #expect(abs(try #require(try explained([-90, -80], settings: own).filteredRSSI) - second) < 1e-4)
    }

    @Test("a smoothed level is as certain as its weights make it: a / (2 - a) of a reading's variance")
    func smoothedVariance() throws {
        for (algorithm, share) in [(LevelAlgorithm.arma, 0.1 / 1.9), (.ewma, 0.3 / 1.7)] {
            let own = settings {
                $0.levelAlgorithm = algorithm
                $0.readingDeviation = 3
            }
            #expect(abs(try #require(try explained([-90, -80], settings: own).variance) - 9 * share) < 1e-9)
        }
    }

    @Test("a Kalman filter takes the mean of its first readings, and trusts it as far as they go")
    func kalman() throws {
        let own = settings { $0.levelAlgorithm = .kalman }
        #expect(try #require(try explained([-90], settings: own).variance) == 4)
        let two = try explained([-90, -80], settings: own)
        // Two readings of the same certainty, with next to no time between: half the way, and half the variance.
        #expect(abs(try #require(two.filteredRSSI) - -85) < 0.01)
        #expect(abs(try #require(two.variance) - 2) < 0.01)
        let three = try explained([-90, -80, -70], settings: own)
        #expect(abs(try #require(three.filteredRSSI) - -80) < 0.05)
        #expect(abs(try #require(three.variance) - 4.0 / 3) < 0.01)
        // p² + q · p = q · r of its constants: where it settles, 0.175 dB².
        let settled = try explained((0..<400).map { (Double($0) / 100, Int8(-70)) }, at: 4, settings: own)
        #expect(abs(try #require(settled.variance) - 0.1749) < 0.001)
    }
}
