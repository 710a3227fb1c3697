import Broker
import Testing

@Suite("Pauses between connections")
struct ReconnectTests {
    @Test("grow while the broker is away, to a limit")
    func growWhile() {
        var pause = ReconnectPause()
        #expect((0..<7).map { _ in pause.next(answeredFor: nil) } == [1, 2, 4, 8, 15, 15, 15])
        // A good connection, which is lost.
        #expect(pause.next(answeredFor: 6) == 1)
        #expect(pause.next(answeredFor: nil) == 1)
    }

    @Test("stay short for a broker that comes and goes")
    func stayShort() {
        var pause = ReconnectPause()
        var waited = 0.0
        for round in 0..<20 {
            waited = 0
            // Away for two attempts, then there for a moment.
            for _ in 0..<2 { waited += pause.next(answeredFor: nil) }
            waited += pause.next(answeredFor: 4)
            #expect(waited <= 5, "round \(round)")
        }
        // What lasted is no part of that any more.
        #expect((0..<3).map { _ in pause.next(answeredFor: 4) } == [2, 2, 2])
        #expect((0..<2).map { _ in pause.next(answeredFor: 6) } == [1, 1])
    }
}

@Suite("A client's name")
struct NameClashTests {
    @Test("is suspected where the broker ends several connections in a row after a moment, without a reason")
    func isSuspected() {
        var clash = NameClash()
        #expect((0..<4).map { _ in clash.end(lasted: 2, isLoss: true) } == [false, false, true, true])
        // A good connection.
        #expect(clash.end(lasted: 60, isLoss: true) == false)
        #expect((0..<3).map { _ in clash.end(lasted: 2, isLoss: true) } == [false, false, true])
    }

    @Test(
        "is not suspected where the broker was away between them, or has said why",
        arguments: [(nil, true), (1, false)] as [(Double?, Bool)])
    func isNotSuspected(lasted: Double?, isLoss: Bool) {
        var clash = NameClash()
        for _ in 0..<5 {
            #expect(clash.end(lasted: 1, isLoss: true) == false)
            #expect(clash.end(lasted: lasted, isLoss: isLoss) == false)
        }
    }
}
