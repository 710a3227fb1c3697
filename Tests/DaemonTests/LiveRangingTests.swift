import Beacon
import Daemon
import Ranging
import Testing

@Suite("Ranging over the daemon's life")
struct LiveRangingTests {
    private static let start = 1_700_000_000.0

    private func id(_ minor: UInt16) -> BeaconID { BeaconID(uuid: ProximityUUID(7), major: 1, minor: minor) }

    /// - Parameter drift: seconds by which the wall clock was set.
    private func clocks(_ seconds: Double, drift: Double = 0) -> LiveRanging.Clocks {
        LiveRanging.Clocks(
            wall: Timestamp(seconds: Self.start + seconds + drift), elapsed: .milliseconds(Int(seconds * 1000)))
    }

    private func heard(_ minor: UInt16, at seconds: Double, rssi: Int8, drift: Double = 0) -> Sighting {
        Sighting(
            time: Timestamp(seconds: Self.start + seconds + drift), rssi: rssi,
            beacon: IBeacon(id: id(minor), measuredPower: -59))
    }

    /// Ticks every half second, with both beacons heard, the second as strong as said.
    private func run(
        _ ranging: inout LiveRanging, from start: Double, to end: Double, hearing: Hearing = .ok, drift: Double = 0,
        second: Int8? = -70
    ) -> [LiveRanging.Tick] {
        stride(from: start, to: end, by: 0.5).map { time in
            var batch = [heard(1, at: time - 0.2, rssi: -60, drift: drift)]
            if let second { batch.append(heard(2, at: time - 0.1, rssi: second, drift: drift)) }
            return ranging.tick(batch, hearing, at: clocks(time, drift: drift))
        }
    }

    @Test("says who is in range when that or its order has changed, and only then")
    func inRange() {
        var ranging = LiveRanging(settings: RangingSettings(), interval: 0.5)
        #expect(ranging.tick([], .ok, at: clocks(0)).inRange == nil)
        let calm = run(&ranging, from: 0.5, to: 10)
        #expect(calm.compactMap(\.inRange) == [[id(1), id(2)]])
        let turned = run(&ranging, from: 10, to: 20, second: -40)
        #expect(turned.compactMap(\.inRange) == [[id(2), id(1)]])
    }

    @Test("rests while no beacon is present, and ticks that were left out change nothing later")
    func rest() {
        var steady = LiveRanging(settings: RangingSettings(), interval: 0.5)
        #expect(steady.isAtRest)
        _ = run(&steady, from: 0.5, to: 5)
        #expect(!steady.isAtRest)
        for time in stride(from: 5, to: 60, by: 0.5) { _ = steady.tick([], .ok, at: clocks(time)) }
        #expect(steady.isAtRest)
        var resting = steady
        for time in stride(from: 60, through: 80, by: 0.5) { _ = steady.tick([], .ok, at: clocks(time)) }
        _ = resting.tick([], .ok, at: clocks(80))
        let (first, second) = (run(&steady, from: 80.5, to: 90), run(&resting, from: 80.5, to: 90))
        #expect(first.map(\.ranking) == second.map(\.ranking))
        #expect(first.map(\.events) == second.map(\.events))
        #expect(!resting.isAtRest)
    }

    @Test("events that new settings bring about come with the next tick, once, before its own")
    func pending() {
        var settings = RangingSettings()
        var ranging = LiveRanging(settings: settings, interval: 0.5)
        _ = run(&ranging, from: 0.5, to: 5)
        #expect(ranging.apply(settings, interval: 0.5, at: clocks(5)) == false)
        settings.regions = [BeaconRegion(identifier: "hall", constraint: BeaconConstraint(uuid: ProximityUUID(7)))]
        #expect(ranging.apply(settings, interval: 1, at: clocks(5)) == true)
        #expect(ranging.interval == 1)
        let ticks = run(&ranging, from: 5.5, to: 8)
        #expect(ticks.first?.events.isEmpty == false)
        #expect(ticks.dropFirst().allSatisfy { $0.events.isEmpty })
        #expect(ranging.regions.map(\.region.identifier) == ["hall"])
    }

    @Test("says who is in which region when that has changed, or the regions have, and only then")
    func regions() {
        var settings = RangingSettings()
        settings.regions = [BeaconRegion(identifier: "hall", constraint: BeaconConstraint(id(2)))]
        var ranging = LiveRanging(settings: settings, interval: 0.5)
        func inside(_ tick: LiveRanging.Tick?) -> [String]? {
            tick?.regions?.map { "\($0.region.identifier) \($0.isInside)" }
        }
        let first = run(&ranging, from: 0.5, to: 5, second: nil)
        #expect(inside(first.first) == ["hall false"] && first.dropFirst().allSatisfy { $0.regions == nil })
        let entered = run(&ranging, from: 5, to: 10)
        #expect(entered.compactMap { inside($0) } == [["hall true"]])
        settings.regions[0].identifier = "shop"
        _ = ranging.apply(settings, interval: 0.5, at: clocks(10))
        let renamed = run(&ranging, from: 10, to: 15)
        #expect(inside(renamed.first) == ["shop true"] && renamed.dropFirst().allSatisfy { $0.regions == nil })
        let left = run(&ranging, from: 15, to: 60, second: nil)
        #expect(left.compactMap { inside($0) } == [["shop false"]])
    }

    @Test("a wall clock that is set changes the times that are told, and nobody exits or enters by it")
    func clockIsSet() {
        var ranging = LiveRanging(settings: RangingSettings(), interval: 0.5)
        _ = run(&ranging, from: 0.5, to: 10)
        for drift in [7200.0, -7200] {
            let ticks = run(&ranging, from: 10, to: 12, drift: drift)
            #expect(ticks.allSatisfy { $0.events.isEmpty && $0.inRange == nil })
            #expect(ticks.last?.ranking.time == Timestamp(seconds: Self.start + 11.5 + drift))
        }
    }

    @Test("after a start, who is not heard is absent only when silence has had a meaning for as long as an exit takes")
    func settled() {
        var settings = RangingSettings()
        settings.exitCap = 20
        var ranging = LiveRanging(settings: settings, interval: 0.5)
        func firstSettled(from start: Double, to end: Double, _ hearing: Hearing) -> Double? {
            stride(from: start, through: end, by: 0.5).first { time in
                ranging.tick([], hearing, at: clocks(time)).isSettled
            }
        }
        #expect(firstSettled(from: 0, to: 10, .blind) == nil)
        #expect(firstSettled(from: 10.5, to: 20, .ok) == nil)
        #expect(firstSettled(from: 20.5, to: 21, .blind) == nil)
        #expect(firstSettled(from: 21.5, to: 41, .ok) == nil)
        #expect(firstSettled(from: 41.5, to: 45, .inDoubt) == nil, "a doubt does not begin it again")
        #expect(firstSettled(from: 45.5, to: 50, .ok) == 45.5)
        #expect(firstSettled(from: 50, to: 60, .blind) == 50, "it stays")
    }

    @Test("while nothing can be heard nobody exits, and that is said")
    func blind() {
        var ranging = LiveRanging(settings: RangingSettings(), interval: 0.5)
        _ = run(&ranging, from: 0.5, to: 10)
        let ticks = stride(from: 10.0, to: 200, by: 0.5).map { ranging.tick([], .blind, at: clocks($0)) }
        #expect(ticks.allSatisfy { $0.isBlind && $0.events.isEmpty && $0.inRange == nil })
        let after = stride(from: 200.0, to: 400, by: 0.5).map { ranging.tick([], .ok, at: clocks($0)) }
        #expect(after.flatMap(\.events).contains(.exited(id(1))))
        #expect(after.last?.inRange == nil && after.compactMap(\.inRange).last == [])
        #expect(ranging.explanation(of: id(9), at: clocks(400)) == nil)
    }
}
