import MQTT
import Testing

@Suite("Pauses between connections")
struct ReconnectTests {
    @Test("grow while the broker is away, to a limit")
    func growWhile() {
        var pause = ReconnectPause()
        #expect((0..<7).map { _ in pause.next(wasAnswered: false) } == [1, 2, 4, 8, 15, 15, 15])
        pause.settle()
        #expect(pause.next(wasAnswered: false) == 1)
    }

    @Test("stay short for a broker that comes and goes")
    func stayShort() {
        var pause = ReconnectPause()
        var waited = 0.0
        for round in 0..<20 {
            waited = 0
            // Away for two attempts, then there for a moment.
            for _ in 0..<2 { waited += pause.next(wasAnswered: false) }
            waited += pause.next(wasAnswered: true)
            #expect(waited <= 5, "round \(round)")
        }
    }
}
