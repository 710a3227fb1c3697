import Beacon
import Content
import Events
import Radio
import Ranging
import Synchronization
import TestSupport
import Testing

private func beacon(_ minor: Int) -> BeaconID {
    BeaconID(uuid: ProximityUUID(7), major: 1, minor: UInt16(truncatingIfNeeded: minor))
}

@Suite("The limit on what is told of a flood")
struct FloodLimitTests {
    private func entered(_ minor: Int) -> DaemonEvent { .ranging(.entered(beacon(minor))) }

    @Test("so many of a kind pass, and the rest is counted and told once their time is over")
    func counts() {
        var limit = FloodLimit(unnamed: 50, named: 200, seconds: 10)
        var passed = 0
        for number in 0..<2000 {
            #expect(limit.summaries(at: Double(number) / 1000).isEmpty)
            if limit.passes(entered(number), isNamed: false, at: Double(number) / 1000) { passed += 1 }
        }
        #expect(passed == 50)
        #expect(limit.summaries(at: 9.9).isEmpty)
        #expect(limit.summaries(at: 10).map(\.text) == ["1950 more entered events in the last 10 s"])
        #expect(limit.summaries(at: 11).isEmpty)
        // A new time, a new limit.
        let again = limit.passes(entered(1), isNamed: false, at: 11)
        #expect(again)
    }

    @Test("what is rare passes in any flood, and so do beacons with a name")
    func rare() {
        var limit = FloodLimit(unnamed: 5, named: 5)
        for number in 0..<1000 {
            _ = limit.passes(entered(number), isNamed: false, at: 0)
            _ = limit.passes(.ranging(.exited(beacon(number))), isNamed: false, at: 0)
        }
        for event: DaemonEvent in [
            .ranging(.nearest(beacon(1), previous: nil)), .hearing(.blind), .over(source: "x"),
            .trouble(part: "mqtt", problem: "x", retry: 1), .content(.nothing(nil)),
        ] {
            for _ in 0..<100 {
                let passes = limit.passes(event, isNamed: false, at: 1)
                #expect(passes)
            }
        }
        let named = limit.passes(entered(1), isNamed: true, at: 1)
        #expect(named)
    }

    @Test("nothing is lost between passing and being counted, whatever the times are")
    func complete() {
        var generator = SeededGenerator(seed: 8)
        var limit = FloodLimit(unnamed: 20, named: 40, seconds: 10)
        var (now, passed, told) = (0.0, 0, 0)
        for number in 0..<20_000 {
            now += Double.random(in: 0...0.02, using: &generator)
            if Bool.random(using: &generator) { told += limit.summaries(at: now).reduce(0) { $0 + $1.count } }
            if limit.passes(entered(number), isNamed: Bool.random(using: &generator), at: now) { passed += 1 }
        }
        told += limit.summaries(at: now, isEnd: true).reduce(0) { $0 + $1.count }
        #expect(passed + told == 20_000)
        // Twenty and forty in each ten seconds, and never more.
        #expect(passed <= 60 * (Int(now / 10) + 1))
    }

    @Test("lines come in time, also where nothing follows")
    func lines() {
        let now = Mutex(0.0)
        let told = Mutex<[String]>([])
        let clock: @Sendable () -> Double = { now.withLock { $0 } }
        let lines = EventLines(names: Names(), clock: clock) { summary in told.withLock { $0.append(summary.text) } }
        for number in 0..<1000 { _ = lines.takes(entered(number)) }
        lines.tick()
        #expect(told.withLock { $0 }.isEmpty)
        now.withLock { $0 = 12 }
        lines.tick()
        #expect(told.withLock { $0 } == ["950 more entered events in the last 12 s"])
    }
}

@Suite("Many events in one tick", .timeLimit(.minutes(10)))
struct TickTests {
    private func hub(after last: UInt64 = 0) -> EventHub {
        EventHub(names: Names(), capacity: 4096, after: last) { Timestamp(seconds: 1_700_000_000) }
    }

    @Test("a reader for which events are kept gets all of a tick of 10,000, and the ring is short again after it")
    func keeps() async {
        let hub = hub()
        let kept = hub.subscribe(keeping: 20_000)
        let other = hub.subscribe()
        for number in 0..<10_000 { hub.publish(.ranging(.entered(beacon(number)))) }
        var count = 0
        while let batch = kept.take().batch {
            count += batch.records.count
            #expect(!batch.hasMissed && batch.missed == 0)
        }
        #expect(count == 10_000)
        // Those who come from outside have the ring, and are told. It is as long as somebody needed it.
        hub.publish(.over(source: "x"))
        hub.publish(.over(source: "y"))
        let batch = other.take().batch
        #expect(batch?.hasMissed == true && batch?.missed == 10_002 - 4096)
    }

    @Test("what is kept has a limit, and what is lost is counted exactly")
    func bounded() {
        let hub = hub()
        let reader = hub.subscribe(keeping: 6000)
        for number in 0..<10_000 { hub.publish(.ranging(.entered(beacon(number)))) }
        var (count, missed) = (0, 0)
        while let batch = reader.take().batch {
            count += batch.records.count
            missed += batch.missed
        }
        #expect(count == 6000 && missed == 4000)
    }

    @Test("a reader that ends is waited for no more")
    func ends() {
        let hub = hub()
        var reader: EventSubscription? = hub.subscribe(keeping: 100_000)
        for number in 0..<5000 { hub.publish(.ranging(.entered(beacon(number)))) }
        #expect(reader != nil)
        reader = nil
        hub.publish(.over(source: "x"))
        let all = hub.subscribe(after: 1)
        #expect(all.take().batch?.missed == 5001 - 4096)
    }

    @Test("numbers rise over a restart with the clock an hour behind")
    func numbers() {
        let before: UInt64 = 1_700_003_600_000_000
        let late = hub(after: before)
        late.publish(.over(source: "x"))
        #expect(late.lastID == before + 1)
        let right = hub(after: 5)
        #expect(right.lastID == 1_700_000_000_000_000 - 1)
    }
}
