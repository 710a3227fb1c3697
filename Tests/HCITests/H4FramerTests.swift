import Beacon
import HCI
import TestSupport
import Testing

private let answer = bytes("04 0E 04 01 03 0C 00")
private let report = bytes(
    "04 3E 27 02 01 03 01 C4 65 2B 23 7F E9 1B 1A FF 4C 00 02 15 636F3F8F64914BEE95F7D8CC64A863B5 0001 0002 C5 B3")

private func packets(_ chunks: [[UInt8]]) -> (packets: [[UInt8]], skipped: Int) {
    var framer = H4Framer()
    var packets: [[UInt8]] = []
    for chunk in chunks {
        framer.append(chunk.span.bytes) { packet in packets.append(packet.withUnsafeBytes { Array($0) }) }
    }
    return (packets, framer.skippedOctets)
}

@Suite("H4 framing")
struct H4FramerTests {
    @Test("gives the same packets however the stream is cut")
    func chunks() {
        let stream = (0..<50).flatMap { $0.isMultiple(of: 3) ? answer : report } + bytes("04 FF 02 AA BB 04 05 00")
        let whole = packets([stream]).packets
        #expect(whole.count == 52)
        var random = SeededGenerator(seed: 4)
        for _ in 0..<50 {
            var rest = stream[...]
            var chunks: [[UInt8]] = []
            while !rest.isEmpty {
                let count = Int.random(in: 1...9, using: &random)
                chunks.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            let result = packets(chunks)
            #expect(result.packets == whole)
            #expect(result.skipped == 0)
        }
    }

    /// Found by `fuzz h4-stream`.
    @Test("judges an event without parameters alike, wherever the stream is cut", arguments: [1, 2, 3, 4, 5])
    func cutsNextToEmptyEvents(_ place: Int) {
        let stream = bytes("54 04 60 00 04 05 00 04 3E 00") + answer
        let whole = packets([stream])
        let cut = packets([Array(stream[..<place]), Array(stream[place...])])
        #expect(cut.packets == whole.packets)
        #expect(cut.skipped == whole.skipped)
    }

    @Test("finds its way back after garbage", arguments: ["00", "FF FF FF", "04 99", "AA 04 BB 3E 04", "06 07 08 09"])
    func garbage(_ hex: String) {
        let result = packets([report, bytes(hex), report, answer])
        // An invented head may swallow what follows it, but not for long.
        #expect(result.packets.suffix(1) == [answer])
        #expect(result.packets.first == report)
    }

    /// Vol 4, Part E, 7.7: standard events have codes from 0x01 on, those of vendors are at the top.
    @Test(
        "accepts every assigned event as soon as its last octet is there",
        arguments: [
            "04 01 01 00", "04 10 01 42", "04 13 05 01 01 00 01 00", "04 5E 01 00", "04 5F 01 00", "04 F0 01 00",
            "04 FF 01 00", "04 57 00", "04 5F 00",
        ])
    func assigned(_ hex: String) {
        let result = packets([bytes(hex)])
        #expect(result.packets == [bytes(hex)])
        #expect(result.skipped == 0)
    }

    @Test(
        "skips events that are not assigned, and every other type of packet",
        arguments: [
            "04 00 01 00", "04 60 01 00", "04 EF 01 00", "01 03 0C 00", "02 01 00 00", "03 01 00 00", "05 01 00 00",
        ])
    func unassigned(_ hex: String) {
        let result = packets([bytes(hex)])
        #expect(result.packets.isEmpty)
        #expect(result.skipped == 4)
    }

    @Test(
        "continues after garbage with the next event that a scanner needs, even the shortest",
        arguments: [
            "04 0E 04 01 03 0C 00", "04 0E 05 01 19 0C 00 03", "04 0F 04 00 01 0C 20",
            // Reports without a payload, legacy and extended.
            "04 3E 0C 02 01 03 01 C4 65 2B 23 7F E9 00 B3",
            "04 3E 1A 0D 01 13 00 01 01 02 03 05 06 C6 01 00 FF 7F C4 00 00 00 00 00 00 00 00 00 00",
        ])
    func expectedAfterGarbage(_ hex: String) {
        let result = packets([bytes("AA"), bytes(hex), bytes(hex)])
        #expect(result.packets == [bytes(hex), bytes(hex)])
        #expect(result.skipped == 1)
    }

    /// While the framer searches, it skips what it would accept from a stream without a fault.
    @Test(
        "skips events after garbage that a scanner does not need, or whose length does not fit",
        arguments: [
            "04 0E 03 01 00 00", "04 0F 03 00 01 0C", "04 0F 05 00 01 0C 20 00", "04 13 05 01 01 00 01 00",
            "04 FF 02 AA BB", "04 3E 00", "04 3E 02 0A 00", "04 3E 0B 02 01 03 01 C4 65 2B 23 7F E9 00",
            "04 3E 19 0D 01 13 00 01 01 02 03 05 06 C6 01 00 FF 7F C4 00 00 00 00 00 00 00 00 00",
            // LE Connection Complete: nobody here opens one.
            "04 3E 13 01 00 40 00 00 00 01 02 03 05 06 C6 18 00 00 00 48 00 00",
        ])
    func unexpectedAfterGarbage(_ hex: String) {
        let result = packets([bytes("AA"), bytes(hex), answer])
        #expect(result.packets == [answer])
        #expect(result.skipped == 1 + bytes(hex).count)
    }

    @Test("finds its way back after octets were lost inside a packet", arguments: [1, 4, 12, 30])
    func lost(_ missing: Int) {
        var damaged = report
        damaged.removeSubrange(5..<5 + missing)
        let result = packets([damaged, report, report, report, answer])
        #expect(result.packets.suffix(2) == [report, answer])
    }

    @Test("never traps and never hangs on noise")
    func fuzz() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let noise = random.octets(.random(in: 1...400, using: &random))
            let result = packets([noise, report, report])
            #expect(result.packets.allSatisfy { !$0.isEmpty })
            // No octet is used twice, and all but an unfinished packet at the end are accounted for.
            let used = result.packets.reduce(0) { $0 + $1.count } + result.skipped
            #expect(used > 0 && used <= noise.count + 2 * report.count)
        }
    }
}
