import Broker
import Testing

@Suite("A message of another part", .timeLimit(.minutes(10)))
struct RelayTests {
    private func message(_ text: String) -> Publication {
        Publication(topic: "beacond/hall/report", payload: text, isRetained: false)
    }

    @Test("is given to the connection once, and again after the connection was lost")
    func again() {
        var slot = PublicationSlot()
        #expect(slot.next() == nil)
        let number = slot.put(message("a"))
        #expect(slot.next()?.number == number)
        #expect(slot.next() == nil)
        slot.rewind()
        #expect(slot.next()?.publication == message("a"))
        slot.acknowledge(number)
        #expect(slot.arrived == number)
        slot.rewind()
        #expect(slot.next() == nil)
    }

    @Test("takes the place of the former one, whose acknowledgement then says nothing")
    func replaced() {
        var slot = PublicationSlot()
        let old = slot.put(message("a"))
        _ = slot.next()
        let new = slot.put(message("b"))
        #expect(slot.next()?.publication == message("b"))
        slot.acknowledge(old)
        #expect(slot.arrived != new)
        slot.rewind()
        #expect(slot.next()?.number == new)
        slot.clear()
        slot.rewind()
        #expect(slot.next() == nil)
        slot.acknowledge(new)
        #expect(slot.arrived == 0)
    }

    @Test("wakes the connection that is there now, and is sent again by the next one")
    func wakes() async {
        let relay = PublicationRelay()
        let number = relay.put(message("a"))
        let (wakes, wake) = AsyncStream.makeStream(of: Int.self)
        relay.connect(waking: { wake.yield(1) })
        #expect(relay.next()?.number == number)
        // The part of the daemon that has the connection was started again.
        relay.connect(waking: { wake.yield(2) })
        #expect(relay.next()?.number == number)
        _ = relay.put(message("b"))
        #expect(await wakes.first { _ in true } == 2)
    }
}
