import Daemon
import Testing

@Suite("Messages of the route socket")
struct NetworkChangesTests {
    /// struct nlmsghdr and what follows it, rtnetlink(7), in the host's order.
    private func message(type: UInt16, _ words: [UInt32], length: Int? = nil) -> [UInt8] {
        let header: [UInt32] = [UInt32(length ?? 16 + words.count * 4), UInt32(type), 0, 0]
        return (header + words).flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    }

    private func link(_ index: UInt32, isRunning: Bool) -> [UInt8] {
        message(type: 16, [0, index, isRunning ? 0x40 : 0, 0])
    }

    @Test("a new address and a new route may be a way, their loss is none")
    func addresses() {
        let changes = Changes()
        #expect(changes.take(message(type: 20, [0, 0])))
        #expect(changes.take(message(type: 24, [0, 0])))
        #expect(!changes.take(message(type: 21, [0, 0])))
        #expect(!changes.take(message(type: 25, [0, 0])))
        #expect(changes.take(message(type: 25, [0]) + message(type: 24, [0])))
    }

    @Test("a link counts when it begins to carry, however often it is told")
    func links() {
        let changes = Changes()
        #expect(!changes.take(link(2, isRunning: false)))
        #expect(changes.take(link(2, isRunning: true)))
        #expect(!changes.take(link(2, isRunning: true)))
        #expect(changes.take(link(3, isRunning: true)))
        #expect(!changes.take(link(2, isRunning: false)))
        #expect(changes.take(link(2, isRunning: true)))
    }

    @Test("a link that was removed is forgotten, so that the next one with its index counts")
    func removedLink() {
        let changes = Changes()
        #expect(changes.take(link(2, isRunning: true)))
        #expect(!changes.take(message(type: 17, [0, 2, 0x40, 0])))
        #expect(changes.take(link(2, isRunning: true)))
    }

    @Test("cut and lying messages do no harm")
    func broken() {
        let changes = Changes()
        let good = link(2, isRunning: true)
        for count in 0..<good.count { #expect(!changes.take(Array(good[..<count]))) }
        for length in [0, 1, 15, 1000, Int(UInt32.max)] {
            #expect(!changes.take(message(type: 24, [0], length: length)))
        }
        var state: UInt64 = 42
        for _ in 0..<2000 {
            let noise = (0..<64).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 40) & (state >> 60 == 0 ? 0xFF : 0x1F)
            }
            _ = changes.take(noise)
        }
    }
}

/// Neither spans nor changing values can be captured in expectations.
private final class Changes {
    private var changes = NetworkChanges()

    func take(_ messages: [UInt8]) -> Bool {
        changes.bringWay(messages.span.bytes)
    }
}
