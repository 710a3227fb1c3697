import Platform
import Testing

@Suite("Back-off")
struct BackoffTests {
    @Test("pauses double, to a limit")
    func grows() {
        var backoff = Backoff(longest: 10)
        #expect((0..<6).map { _ in backoff.next() } == [1, 2, 4, 8, 10, 10])
    }

    @Test("is at the shortest again after a reset")
    func reset() {
        var backoff = Backoff(longest: 10)
        for _ in 0..<5 { _ = backoff.next() }
        backoff.reset()
        #expect((0..<2).map { _ in backoff.next() } == [1, 2])
    }

    @Test("is at the shortest again after an attempt that was stable, and goes on after one that was not")
    func stable() {
        var backoff = Backoff(longest: 60, stableAfter: 30)
        #expect([0, 29, 30, 30.1, 0, 100].map { backoff.next(after: $0) } == [1, 2, 4, 1, 2, 1])
    }

    @Test("without a time after which an attempt is stable, none is")
    func neverStable() {
        var backoff = Backoff(longest: 3)
        #expect([1e9, 1e9, 1e9].map { backoff.next(after: $0) } == [1, 2, 3])
    }

    @Test("a limit below the shortest pause holds too")
    func low() {
        var backoff = Backoff(longest: 0.5)
        #expect((0..<3).map { _ in backoff.next() } == [0.5, 0.5, 0.5])
    }
}
