import Beacon
import Ranging
import Testing

@Suite("Rankings at even intervals")
struct TickTests {
    /// Ticks for sightings at these seconds, and then at the end.
    private func ticks(_ seconds: [Double], interval: Double = 1, finish: Bool = false) -> [Double] {
        var ticks = RangingTicks(interval: interval)
        var told: [Double] = []
        for second in seconds {
            ticks.add(sighting(1, at: second, rssi: -60)) { ranking, _ in told.append(ranking.time.seconds) }
        }
        if finish { ticks.finish { ranking, _ in told.append(ranking.time.seconds) } }
        return told
    }

    @Test("the first comes one interval after the first sighting, each after all that came before its time")
    func even() {
        #expect(ticks([10, 10.9, 11]).isEmpty)
        #expect(ticks([10, 11.001]) == [11] && ticks([10, 13.5]) == [11, 12, 13])
        #expect(
            ticks([10, 13.5], finish: true) == [11, 12, 13, 14] && ticks([10], interval: 0.5, finish: true) == [10.5])
        #expect(ticks([], finish: true).isEmpty)
    }

    @Test("a ranking has seen what was heard up to its time, and no more")
    func seen() {
        var ticks = RangingTicks(interval: 1)
        var counts: [Int] = []
        for second in [0, 0.5, 1, 1.5, 3.5] {
            ticks.add(sighting(1, at: second, rssi: -60)) { ranking, _ in counts.append(ranking.beacons[0].count) }
        }
        #expect(counts == [3, 4, 4])
    }

    @Test("an instant that is told has its own ranking, once")
    func advance() {
        var ticks = RangingTicks(interval: 1)
        var told: [Double] = []
        func advance(_ seconds: Double) {
            ticks.advance(to: Timestamp(seconds: seconds)) { ranking, _ in told.append(ranking.time.seconds) }
        }
        advance(5)
        #expect(told.isEmpty && ticks.first == nil && ticks.explanation(of: beacon(1)) == nil)
        ticks.add(sighting(1, at: 10, rssi: -60)) { _, _ in }
        ticks.add(sighting(1, at: nil, rssi: -60)) { _, _ in }
        ticks.add(sighting(1, at: 10.5, rssi: -60)) { _, _ in }
        #expect(ticks.first == Timestamp(seconds: 10))
        for second in [10.999_999, 11, 11, 12.5] { advance(second) }
        #expect(told == [11, 12])
        #expect(ticks.explanation(of: beacon(1))?.time == Timestamp(seconds: 12))
        ticks.advance(to: Timestamp(microseconds: 12_999_999)) { _, _ in told.append(-1) }
        #expect(told == [11, 12])
    }

    @Test("live, rankings begin before anything is heard, and go by the first sighting from then on")
    func live() {
        var ticks = RangingTicks(interval: 1)
        var told: [Double] = []
        func tick(_ ranking: Ranking, _ events: [RangingEvent]) {
            told.append(ranking.time.seconds)
            #expect(ranking.beacons.isEmpty == (ranking.time.seconds < 3))
        }
        ticks.begin(at: Timestamp(seconds: 0))
        ticks.advance(to: Timestamp(seconds: 0.5), tick)
        ticks.begin(at: Timestamp(seconds: 0.6))
        ticks.advance(to: Timestamp(seconds: 2.1), tick)
        ticks.add(sighting(1, at: 2.5, rssi: -60), tick)
        ticks.begin(at: Timestamp(seconds: 2.6))
        ticks.advance(to: Timestamp(seconds: 4), tick)
        #expect(told == [1, 2, 3.5])
        ticks.finish(tick)
        #expect(told == [1, 2, 3.5, 4.5])
    }

    @Test("hours of silence are ranked at the same interval where they are told")
    func longSilence() {
        var ticks = RangingTicks(interval: 600)
        var told: [Double] = []
        ticks.add(sighting(1, at: 0, rssi: -60)) { _, _ in }
        for second in stride(from: 100.0, through: 5000, by: 100) {
            ticks.advance(to: Timestamp(seconds: second)) { ranking, _ in told.append(ranking.time.seconds) }
        }
        #expect(told == [600, 1200, 1800, 2400, 3000, 3600, 4200, 4800])
    }

    @Test("an interval is a microsecond at least, and thirty years at most")
    func intervals() {
        var ticks = RangingTicks(interval: 0)
        var told: [Int64] = []
        for microseconds in [0, 4] as [Int64] {
            var heard = sighting(1, at: 0, rssi: -60)
            heard.time = Timestamp(microseconds: microseconds)
            ticks.add(heard) { ranking, _ in told.append(ranking.time.microseconds) }
        }
        #expect(told == [1, 2, 3])
        #expect(self.ticks([5, 10_000], interval: 1e12) == [1_000_000_005])
        #expect(self.ticks([5], interval: 1e12, finish: true) == [6])
        #expect(self.ticks([5], interval: 0.000_1, finish: true) == [5.000_1])
    }

    @Test("for a gap of more than an hour one ranking is owed, and for an hour all of them")
    func gap() {
        #expect(ticks([0, 3600], interval: 600) == [600, 1200, 1800, 2400, 3000])
        #expect(ticks([0, 3600.1], interval: 600) == [600])
        #expect(ticks([0, 3600.1, 4201], interval: 600) == [600, 4200.1])
    }

    @Test("rankings go on for hours while something is heard")
    func hours() {
        #expect(ticks([0, 3000, 6000, 9000], interval: 2500) == [2500, 5000, 7500])
    }

    @Test("a clock that goes back by more than an hour goes on from there, by less waits")
    func back() {
        #expect(ticks([10_000, 100, 101.5, 102.5]) == [10_001, 101, 102])
        #expect(ticks([10_000, 9000, 9001, 9002]).isEmpty)
        #expect(ticks([10_000, 9000, 10_000.5, 10_001.5]) == [10_001])
    }

    @Test("by default the scanner is believed; what is told of it holds for the rankings after")
    func blind() {
        func exits(_ change: (inout RangingTicks) -> Void) -> Int {
            var ticks = RangingTicks(interval: 1)
            change(&ticks)
            ticks.add(sighting(1, at: 0, rssi: -60)) { _, _ in }
            var exits = 0
            ticks.advance(to: Timestamp(seconds: 60)) { _, events in
                exits += events.contains(.exited(beacon(1))) ? 1 : 0
            }
            return exits
        }
        #expect(exits { _ in } == 1)
        #expect(exits { $0.isBlind = true } == 0 && exits { $0.isInDoubt = true } == 0)
    }

    @Test("a wall clock that is set changes the times that are told, and nothing else")
    func clocks() {
        var ticks = RangingTicks(interval: 1)
        var told: [Double] = []
        ticks.readClocks(wall: Timestamp(seconds: 1000), elapsed: .zero)
        ticks.add(sighting(1, at: 1000, rssi: -60)) { _, _ in }
        ticks.readClocks(wall: Timestamp(seconds: 5001.5), elapsed: .seconds(1.5))
        ticks.add(sighting(1, at: 5001.5, rssi: -60)) { ranking, _ in told.append(ranking.time.seconds) }
        #expect(told == [5001])
        #expect(ticks.explanation(of: beacon(1))?.time == Timestamp(seconds: 5001))
    }
}
