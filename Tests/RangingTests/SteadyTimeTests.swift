import Beacon
import Ranging
import Testing

@Suite("Steady time")
struct SteadyTimeTests {
    private let start = 1_800_000_000.0

    private func wall(_ seconds: Double) -> Timestamp { Timestamp(seconds: start + seconds) }

    /// Twenty beacons at 1 Hz for two minutes, ticks every half second; the wall clock is set by `step` seconds at 60
    /// s.
    private func hall(step: Double, steps times: [Double] = [60]) -> (
        events: [RangingEvent], last: Ranking?, now: Timestamp
    ) {
        var ranger = Ranger()
        var time = SteadyTime()
        var events: [RangingEvent] = []
        var last: Ranking?
        func clock(_ elapsed: Double) -> Timestamp {
            wall(elapsed + step * Double(times.count { $0 <= elapsed }))
        }
        for tick in 1...240 {
            let end = Double(tick) / 2
            let now = time.advance(wall: clock(end), elapsed: .seconds(end))
            for minor in 0..<20 as Range<UInt16> {
                // Spread over the second, so that a step falls between the sightings of one batch.
                let heard = (end - 0.5).rounded(.down) + Double(minor) / 20
                guard heard >= end - 0.5, heard < end else { continue }
                var sighting = sighting(minor, at: nil, rssi: -60)
                sighting.time = time.steady(clock(heard))
                ranger.add(sighting)
            }
            let (ranking, news) = ranger.tick(at: now)
            events += news
            last = time.wall(ranking)
        }
        return (events, last, clock(120))
    }

    @Test(
        "no beacon leaves when the wall clock is set",
        arguments: [3600, -3600, 86_400, -86_400, 10 * 365 * 86_400, -10 * 365 * 86_400, 2, -2, 30])
    func clockSet(step: Double) {
        let (events, last, now) = hall(step: step)
        #expect(events.count { if case .entered = $0 { true } else { false } } == 20)
        #expect(!events.contains { if case .exited = $0 { true } else { false } })
        #expect(last?.beacons.count == 20)
        // What is told is the wall clock's time, as it is now.
        #expect(last.map { abs($0.time.seconds(since: now)) < 0.5 } == true)
        #expect(last?.beacons.allSatisfy { abs($0.lastSeen.seconds(since: now)) < 1.5 } == true)
    }

    @Test("no beacon leaves when the wall clock is set again and again")
    func clockSetOften() {
        let (events, last, _) = hall(step: 7200, steps: [20, 20.3, 41, 60, 99.75])
        #expect(!events.contains { if case .exited = $0 { true } else { false } })
        #expect(last?.beacons.count == 20)
    }

    @Test("the two clocks are not read at the same instant, and that sets nothing")
    func jitter() {
        var time = SteadyTime()
        var noise = SeededNoise(seed: 7)
        for step in 0..<1000 {
            let late = Double.random(in: 0..<0.2, using: &noise)
            _ = time.advance(wall: wall(Double(step) + late), elapsed: .seconds(step))
            #expect(time.offset == 0)
        }
    }

    @Test("time goes on where the machine has slept")
    func sleep() {
        var time = SteadyTime()
        _ = time.advance(wall: wall(0), elapsed: .seconds(10))
        // Eight hours for the wall clock, one second for the machine.
        let now = time.advance(wall: wall(28_801), elapsed: .seconds(11))
        #expect(now == wall(1))
        #expect(time.steady(wall(28_801)) == wall(1))
        #expect(time.wall(now) == wall(28_801))
    }

    @Test("explanations and regions are told in the wall clock's time")
    func told() {
        var settings = RangingSettings()
        settings.regions = [BeaconRegion(identifier: "hall", constraint: BeaconConstraint(uuid: museum))]
        var ranger = Ranger(settings: settings)
        var time = SteadyTime()
        _ = time.advance(wall: wall(0), elapsed: .zero)
        ranger.add(sighting(1, at: start, rssi: -60))
        _ = ranger.tick(at: wall(0.5))
        let now = time.advance(wall: wall(3601), elapsed: .seconds(1))
        let explanation = ranger.explanation(of: beacon(1), at: now).map(time.wall)
        #expect(explanation?.time == wall(3601))
        #expect(explanation?.readings.map(\.time) == [wall(3600)])
        #expect(explanation?.decisions.map(\.time) == [wall(3600.5)])
        #expect(ranger.regionStates.map(time.wall).map(\.since) == [wall(3600.5)])
    }

    @Test(
        "a quarter of a second between the clocks is nothing, and a microsecond more sets them",
        arguments: [-1, 1] as [Int64])
    func tolerance(sign: Int64) {
        func offset(_ microseconds: Int64) -> Int64 {
            var time = SteadyTime()
            _ = time.advance(wall: wall(0), elapsed: .zero)
            let late = Timestamp(microseconds: wall(10).microseconds + sign * microseconds)
            #expect(time.advance(wall: late, elapsed: .seconds(10)) == wall(10))
            return time.offset
        }
        #expect(offset(250_000) == 0 && offset(250_001) == sign * 250_001)
    }

    @Test("a clock that is nearly right again is set by what it differs, however little")
    func nearlyRight() {
        var time = SteadyTime()
        _ = time.advance(wall: wall(0), elapsed: .zero)
        _ = time.advance(wall: wall(3600), elapsed: .milliseconds(1))
        #expect(time.offset == 3_599_999_000)
        let late = Timestamp(microseconds: wall(10).microseconds + 1)
        _ = time.advance(wall: late, elapsed: .seconds(10))
        #expect(time.offset == 1)
        let told = time.wall(Ranking(time: wall(10), nearest: nil, beacons: []))
        #expect(told.time == late)
        var ranger = Ranger()
        ranger.add(sighting(1, at: start, rssi: -60))
        #expect(ranger.explanation(of: beacon(1), at: wall(10)).map(time.wall)?.time == late)
    }

    @Test("a clock that was set is not set again by the time between two readings")
    func settled() {
        var time = SteadyTime()
        _ = time.advance(wall: wall(0), elapsed: .zero)
        for (second, late) in [(1.0, 0.0), (2, 0.1), (3, 0.2), (4, -0.2)] {
            _ = time.advance(wall: wall(3600 + second + late), elapsed: .seconds(second))
            #expect(time.offset == 3_600_000_000)
        }
    }

    @Test("times from between two readings are taken by the clock that brings them nearer to now")
    func between() {
        var time = SteadyTime()
        #expect(time.steady(wall(0.5)) == wall(0.5))
        for second in [0.0, 10] {
            _ = time.advance(wall: wall(second), elapsed: .seconds(second))
            #expect(time.steady(wall(second + 0.2)) == wall(second + 0.2))
        }
        // Set forward by a minute.
        _ = time.advance(wall: wall(71), elapsed: .seconds(11))
        #expect(time.steady(wall(10.5)) == wall(10.5) && time.steady(wall(70.8)) == wall(10.8))
        // By the clock before the last one, and not by the one before that.
        _ = time.advance(wall: wall(132), elapsed: .seconds(12))
        #expect(time.steady(wall(71.5)) == wall(11.5) && time.steady(wall(131.8)) == wall(11.8))
        _ = time.advance(wall: wall(72), elapsed: .seconds(12))
        // At the next reading all is by the new clock.
        _ = time.advance(wall: wall(72), elapsed: .seconds(12))
        #expect(time.steady(wall(71.5)) == wall(11.5) && time.steady(wall(11.5)) == wall(-48.5))
    }

    @Test("a time that is equally near to now by both clocks is converted by the clock as it is set now")
    func equallyNear() {
        var time = SteadyTime()
        _ = time.advance(wall: wall(0), elapsed: .zero)
        // Set forward by a minute.
        _ = time.advance(wall: wall(71), elapsed: .seconds(11))
        // 30 s after now, or 30 s before.
        #expect(time.steady(wall(41)) == wall(-19))
        let earlier = Timestamp(microseconds: wall(41).microseconds - 1)
        #expect(time.steady(earlier) == earlier)
    }

    @Test("two are equal where they are as far and set alike")
    func equal() {
        var times = [SteadyTime(), SteadyTime(), SteadyTime(), SteadyTime()]
        #expect(times[0] == times[1])
        for index in 0..<3 { _ = times[index].advance(wall: wall(0), elapsed: .zero) }
        #expect(times[0] == times[1] && times[0] != times[3])
        _ = times[1].advance(wall: wall(1), elapsed: .seconds(1))
        #expect(times[0] != times[1])
        _ = times[2].advance(wall: wall(100), elapsed: .seconds(1))
        #expect(times[1] != times[2] && Set(times).count == 4)
    }

    @Test("any times may come, and nothing traps", arguments: 0..<20 as Range<UInt64>)
    func extremes(seed: UInt64) {
        var noise = SeededNoise(seed: seed)
        var time = SteadyTime()
        for _ in 0..<200 {
            let wall = Timestamp(microseconds: Int64(bitPattern: noise.next()))
            let elapsed = Duration(secondsComponent: Int64(bitPattern: noise.next()) >> 24, attosecondsComponent: 0)
            let now = time.advance(wall: wall, elapsed: elapsed)
            // There and back again, whatever the offset.
            #expect(time.wall(time.steady(time.wall(now))) == time.wall(now))
        }
    }
}
