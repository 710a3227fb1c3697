import Beacon
import Ranging
import Testing

@Suite("What is learned about a beacon's interval")
struct IntervalTests {
    private func explained(
        _ times: [(seconds: Double, source: SourceID)], settings: RangingSettings = .init(), blindAt: Double? = nil
    ) throws -> BeaconExplanation {
        var ranger = Ranger(settings: settings)
        var blindAt = blindAt
        for (seconds, source) in times {
            if let blind = blindAt, blind <= seconds {
                _ = ranger.tick(at: Timestamp(seconds: blind), isBlind: true)
                blindAt = nil
            }
            ranger.add(sighting(1, at: seconds, rssi: -70, source: source))
        }
        return try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: times.last?.seconds ?? 0)))
    }

    private func mean(_ times: [Double]) throws -> Double {
        try explained(times.map { ($0, 0) }).interval
    }

    @Test("the first guess is a second, and weighs as much as four intervals that are heard", arguments: [1, 2, 10, 28])
    func guess(count: Int) throws {
        #expect(try mean([0]) == 1)
        let learned = try mean((0...count).map { Double($0) * 2 })
        #expect(abs(learned - (4 + 2 * Double(count)) / (4 + Double(count))) < 1e-9)
    }

    @Test("the memory is of 32 intervals, however many there were", arguments: [40, 100, 300])
    func memory(count: Int) throws {
        let before = (0...count).map { Double($0) }
        // Every interval was of the first guess, and the last one is of 5 s.
        #expect(abs(try mean(before + [Double(count) + 5]) - (1 + 4.0 / 32)) < 1e-9)
    }

    @Test("20 ms is an interval, and less is a copy")
    func shortest() throws {
        #expect(abs(try mean([0, 0.02]) - (1 + (0.02 - 1) / 5)) < 1e-9)
        #expect(try mean([0, 0.019]) == 1)
        // Copies count from the first of them.
        #expect(abs(try mean([0, 0.019, 0.038]) - (1 + (0.038 - 1) / 5)) < 1e-9)
    }

    @Test("a silence counts as the cap at most, and from twice the cap on as an absence")
    func absence() throws {
        #expect(abs(try mean([0, 30]) - (1 + 29.0 / 5)) < 1e-9)
        #expect(abs(try mean([0, 60]) - (1 + 29.0 / 5)) < 1e-9)
        #expect(try mean([0, 60.001]) == 1)
    }

    @Test("another receiver takes the count over only after two intervals")
    func sources() throws {
        #expect(try explained([(0, 0), (1.99, 1)]).interval == 1)
        #expect(abs(try explained([(0, 0), (2, 1)]).interval - 1.2) < 1e-9)
        // It counts from its own from then on.
        #expect(abs(try explained([(0, 0), (2, 1), (3, 1)]).interval - (1.2 - 0.2 / 6)) < 1e-9)
        // Where the intervals are very short, 20 ms are the least for it too.
        let fast = (0...400).map { (Double($0) * 0.02, SourceID(0)) }
        let end = 8.0
        let (copy, other) = (try explained(fast + [(end + 0.015, 1)]), try explained(fast + [(end + 0.3, 1)]))
        #expect(copy.interval < other.interval)
    }

    @Test("an interval that began before the scanner was blind tells nothing, and the next one does")
    func blind() throws {
        #expect(try explained([(0, 0), (3, 0)], blindAt: 1).interval == 1)
        #expect(try explained([(0, 0), (3, 0), (4, 0), (6, 0)], blindAt: 1).interval > 1.1)
        // Blind at the instant at which it was heard: the interval began with hearing it.
        #expect(try explained([(0, 0), (1, 0), (3, 0)], blindAt: 1).interval > 1.1)
    }

    @Test("it exits after ten intervals, not before the floor and not after the cap")
    func exit() throws {
        func exitTime(_ interval: Double, _ settings: RangingSettings = .init()) throws -> Double {
            try explained((0...2000).map { (Double($0) * interval, 0) }, settings: settings).exitTime
        }
        #expect(try abs(exitTime(1) - 10) < 0.001 && abs(exitTime(2) - 20) < 0.001)
        #expect(try exitTime(0.1) == 5 && exitTime(4) == 30)
        var settings = RangingSettings()
        settings.exitIntervals = 3
        settings.exitFloor = 0.5
        #expect(abs(try exitTime(1, settings) - 3) < 0.001)
    }

    /// When a beacon that was heard at even intervals for long has no proximity any more, in seconds since it was
    /// heard.
    private func stale(_ interval: Double, _ settings: RangingSettings) throws -> Double {
        var ranger = Ranger(settings: settings)
        let last = 1000.0
        for step in 0...Int(last / interval) {
            ranger.add(sighting(1, at: Double(step) * interval, rssi: -59))
        }
        for step in 0...600 {
            let silence = Double(step) / 20
            let ranking = ranger.tick(at: Timestamp(seconds: last + silence)).ranking
            if ranking.beacons.first?.proximity == .unknown { return silence }
            try #require(!ranking.beacons.isEmpty)
        }
        return .infinity
    }

    @Test(
        "it has no proximity after 3 s, or four of its intervals where that is more, and at its exit at the latest",
        arguments: [(0.1, 3.0), (0.5, 3), (1, 4), (2, 8)])
    func staleTime(interval: Double, expected: Double) throws {
        var settings = RangingSettings()
        settings.widestInterval = 1e9
        // Whatever the level, it is near while it has a class.
        settings.immediateDistance = 0
        settings.nearDistance = 1000
        // Told by the first tick after it.
        #expect((expected - 0.01...expected + 0.06).contains(try stale(interval, settings)))
    }

    @Test("at exactly the time at which it becomes old it has its class still")
    func staleInstant() {
        var ranger = Ranger()
        ranger.add(sighting(1, at: 0, rssi: -59))
        // Four times the first guess.
        let classes = [0, 4, 4.001].map { ranger.tick(at: Timestamp(seconds: $0)).ranking.beacons.first?.proximity }
        #expect(classes == [.near, .near, .unknown])
    }

    @Test("after the clock was set back, intervals are learned on")
    func setBack() throws {
        var ranger = Ranger()
        for step in 0..<5 { ranger.add(sighting(1, at: 1e6 + Double(step), rssi: -60)) }
        _ = ranger.tick(at: Timestamp(seconds: 1e6 + 4))
        _ = ranger.tick(at: Timestamp(seconds: 10))
        for step in 1...5 { ranger.add(sighting(1, at: 10 + Double(step) * 3, rssi: -60)) }
        let mean = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 25))).interval
        #expect(mean > 1.4 && mean < 2.2)
    }

    @Test("silence is counted from when it was heard last, and is none where that lies ahead")
    func silence() throws {
        var ranger = Ranger()
        ranger.add(sighting(1, at: 10, rssi: -60))
        for (now, silence) in [(10.0, 0.0), (10.4, 0.4), (13, 3), (9.5, 0)] {
            let explanation = try #require(ranger.explanation(of: beacon(1), at: Timestamp(seconds: now)))
            #expect(abs(explanation.silence - silence) < 1e-6)
        }
    }
}
