import Beacon
import Rooms
import TestSupport
import Testing

@Suite struct SecondBarrierTests {
    private func report(_ scanner: String, _ second: Int64) -> ScannerSecond {
        ScannerSecond(scanner: scanner, second: second)
    }

    private func taken(_ barrier: inout SecondBarrier) -> [Int64: [String]] {
        var result: [Int64: [String]] = [:]
        while let (second, reports) = barrier.next() { result[second] = reports.map(\.scanner) }
        return result
    }

    @Test("a second is complete when all that are there have told of it")
    func complete() {
        var barrier = SecondBarrier()
        for scanner in ["b", "a"] { barrier.add(report(scanner, 10)) }
        #expect(taken(&barrier) == [10: ["a", "b"]])
        barrier.add(report("a", 11))
        #expect(taken(&barrier).isEmpty)
        barrier.add(report("b", 11))
        #expect(taken(&barrier) == [11: ["a", "b"]])
    }

    @Test("one that tells nothing is waited for three seconds, and then counts as gone")
    func missing() {
        var barrier = SecondBarrier()
        for second in Int64(10)...11 { for scanner in ["a", "b", "c"] { barrier.add(report(scanner, second)) } }
        #expect(taken(&barrier).count == 2)
        for second in Int64(12)...14 { for scanner in ["a", "b"] { barrier.add(report(scanner, second)) } }
        #expect(taken(&barrier).isEmpty)
        for scanner in ["a", "b"] { barrier.add(report(scanner, 15)) }
        #expect(taken(&barrier) == [12: ["a", "b"]])
        for second in Int64(16)...20 { for scanner in ["a", "b"] { barrier.add(report(scanner, second)) } }
        #expect(taken(&barrier).count == 8)
        #expect(barrier.scanners == ["a", "b"])
    }

    @Test("one that says that it ends is not waited for")
    func leaving() {
        var barrier = SecondBarrier()
        for scanner in ["a", "b"] { barrier.add(report(scanner, 10)) }
        _ = taken(&barrier)
        barrier.leave("b")
        barrier.add(report("a", 11))
        #expect(taken(&barrier) == [11: ["a"]])
    }

    @Test("in whatever order messages come, the same seconds are complete")
    func order() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            var (first, second) = (SecondBarrier(), SecondBarrier())
            var results: ([Int64: [String]], [Int64: [String]]) = ([:], [:])
            for time in Int64(100)..<120 {
                let reports = ["a", "b", "c"].map { report($0, time) }
                for each in reports { first.add(each) }
                for each in reports.shuffled(using: &random) { second.add(each) }
                results.0.merge(taken(&first)) { $1 }
                results.1.merge(taken(&second)) { $1 }
            }
            #expect(results.0 == results.1)
            #expect(results.0.count == 20)
        }
    }

    @Test("scanners that tell after another one are waited for from the next second on")
    func followers() {
        var barrier = SecondBarrier()
        var heard: [Int] = []
        for second in 0..<Int64(10) {
            // Each tells in its own part of the second, and everything that is complete is taken at once.
            for scanner in ["first", "second", "third"] {
                barrier.add(ScannerSecond(scanner: scanner, second: second))
                while let (_, reports) = barrier.next() { heard.append(reports.count) }
            }
        }
        #expect(heard.first == 1)
        #expect(heard.dropFirst().allSatisfy { $0 == 3 } && heard.count == 10, "\(heard)")
        #expect(barrier.late == 2)
    }

    @Test("what comes late, or from the future, is counted and left out")
    func wrongClocks() {
        var barrier = SecondBarrier()
        for second in Int64(1000)..<1010 { for scanner in ["a", "b", "c"] { barrier.add(report(scanner, second)) } }
        _ = taken(&barrier)
        barrier.add(report("a", 1003))
        barrier.add(report("c", 9999))
        #expect(barrier.tallies["a"]?.late == 1)
        #expect(barrier.tallies["c"]?.ahead == 1)
        #expect(barrier.tallies["b"] == SecondBarrier.Tally(second: 1009))
        for scanner in ["a", "b", "c"] { barrier.add(report(scanner, 1010)) }
        #expect(taken(&barrier).keys.sorted() == [1010])
    }

    @Test("the broker was away for five minutes: the time between is skipped")
    func pause() {
        var barrier = SecondBarrier()
        for scanner in ["a", "b"] { barrier.add(report(scanner, 1000)) }
        _ = taken(&barrier)
        for scanner in ["a", "b"] { barrier.add(report(scanner, 1050)) }
        #expect(taken(&barrier).count == 50)
        for second in Int64(1350)..<1353 { for scanner in ["a", "b"] { barrier.add(report(scanner, second)) } }
        let after = taken(&barrier)
        #expect(after.keys.max() == 1352)
        #expect(after.count <= 3)
    }

    @Test("one whose clock is set back replaces what it told of later seconds, and is waited for again")
    func setBack() {
        var barrier = SecondBarrier()
        for second in Int64(100)..<103 {
            for scanner in ["a", "c"] { barrier.add(report(scanner, second)) }
            barrier.add(report("b", second + 10))
        }
        #expect(taken(&barrier).keys.sorted() == [100, 101, 102])
        barrier.add(report("b", 103))
        #expect(taken(&barrier).isEmpty)
        for scanner in ["a", "c"] { barrier.add(report(scanner, 103)) }
        #expect(taken(&barrier) == [103: ["a", "b", "c"]])
        for scanner in ["a", "c"] { barrier.add(report(scanner, 104)) }
        #expect(taken(&barrier).isEmpty)
        barrier.add(report("b", 104))
        #expect(taken(&barrier) == [104: ["a", "b", "c"]])
        #expect(barrier.rowsWaiting == 0)
    }

    private func flood(_ scanner: String, _ second: Int64, rows: Int) -> ScannerSecond {
        let heard = (0..<rows).map { number in
            HeardLevel(beacon: BeaconID(uuid: ProximityUUID(7), major: 0, minor: UInt16(number)), level: -60, count: 1)
        }
        return ScannerSecond(scanner: scanner, second: second, heard: heard)
    }

    @Test("a flood of levels is bounded: whoever sends most loses most, and the others nothing")
    func flood() {
        var barrier = SecondBarrier()
        // Never complete: one scanner is behind.
        for scanner in ["quiet", "slow"] { barrier.add(report(scanner, 100)) }
        _ = taken(&barrier)
        let hostile = (0..<10).map { "hostile-\($0)" }
        var most = 0
        for second in Int64(101)...103 {
            barrier.add(flood("quiet", second, rows: 50))
            for ahead in Int64(0)..<57 {
                for name in hostile {
                    barrier.add(flood(name, second + ahead, rows: 1000))
                    most = max(most, barrier.rowsWaiting)
                }
            }
        }
        #expect(most <= SecondBarrier.mostRows + 1001)
        #expect(barrier.rowsWaiting <= SecondBarrier.mostRows)
        #expect(barrier.tallies["quiet"]?.dropped == 0)
        let dropped = hostile.compactMap { barrier.tallies[$0]?.dropped }
        #expect((dropped.min() ?? 0) > 0)
        #expect((dropped.max() ?? 0) < 2 * (dropped.min() ?? 0))
        for second in Int64(101)...104 { barrier.add(report("slow", second)) }
        var complete: [Int64: [ScannerSecond]] = [:]
        while let (second, reports) = barrier.next() { complete[second] = reports }
        #expect(
            (101...103).allSatisfy { second in complete[second]?.first { $0.scanner == "quiet" }?.heard.count == 50 })
    }

    @Test("what waits is counted exactly, whatever comes")
    func rows() {
        var random = SeededGenerator(seed: 8)
        var barrier = SecondBarrier()
        for _ in 0..<2000 {
            barrier.add(
                flood("\(Int.random(in: 0..<4, using: &random))", .random(in: 100...180, using: &random), rows: 3))
            if Int.random(in: 0..<50, using: &random) == 0 { _ = barrier.next() }
            if Int.random(in: 0..<300, using: &random) == 0 { for _ in 0..<30 { _ = barrier.idle() } }
        }
        for scanner in 0..<4 { barrier.add(report("\(scanner)", 10_000)) }
        for _ in 0..<200 { _ = barrier.next() }
        for _ in 0..<30 { _ = barrier.idle() }
        #expect(barrier.rowsWaiting == 0)
    }

    @Test("any seconds in any order neither trap nor fill anything")
    func anything() {
        var random = SeededGenerator(seed: 2)
        let seconds: [Int64] = [.min, -1, 0, 1, 59, 60, 1_767_225_600, 1_767_225_601, 253_402_300_799, .max]
        for _ in 0..<200 {
            var barrier = SecondBarrier()
            for _ in 0..<100 {
                barrier.add(
                    report("\(Int.random(in: 0..<5, using: &random))", seconds.randomElement(using: &random) ?? 0))
                var count = 0
                while count < 1000, barrier.next() != nil { count += 1 }
                #expect(count < 1000)
                if Bool.random(using: &random) { _ = barrier.idle() }
            }
        }
    }
}
