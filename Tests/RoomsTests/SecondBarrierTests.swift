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

    @Test("what comes late, or from the future, is counted and left out")
    func wrongClocks() {
        var barrier = SecondBarrier()
        for second in Int64(1000)..<1010 { for scanner in ["a", "b", "c"] { barrier.add(report(scanner, second)) } }
        _ = taken(&barrier)
        barrier.add(report("a", 1003))
        barrier.add(report("c", 9999))
        #expect(barrier.late == 1)
        #expect(barrier.fromTheFuture == 1)
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

    @Test("any seconds in any order neither trap nor fill anything")
    func anything() {
        var random = SeededGenerator(seed: 2)
        let seconds: [Int64] = [.min, -1, 0, 1, 59, 60, 1_767_225_600, 1_767_225_601, 253_402_300_799, .max]
        for _ in 0..<200 {
            var barrier = SecondBarrier()
            for _ in 0..<100 {
                barrier.add(report("\(Int.random(in: 0..<5, using: &random))", seconds.randomElement(using: &random) ?? 0))
                var count = 0
                while count < 1000, barrier.next() != nil { count += 1 }
                #expect(count < 1000)
                if Bool.random(using: &random) { _ = barrier.idle() }
            }
        }
    }
}
