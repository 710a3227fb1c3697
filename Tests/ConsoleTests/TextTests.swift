import Beacon
import Console
import Ranging
import Testing
import Text

@Suite("Numbers and text")
struct TextTests {
    @Test(
        "numbers have a fixed count of decimals",
        arguments: [
            (1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-0.26, 1, "-0.3"), (12, 0, "12"), (0.005, 2, "0.01"),
            (1e300, 1, "1e+300"),
            (.nan, 2, "-"), (-.infinity, 2, "-"),
        ] as [(Double, Int, String)])
    func numbers(_ value: Double, _ digits: Int, _ expected: String) {
        #expect(fixed(value, digits: digits) == expected)
    }

    @Test("JSON strings are escaped")
    func quoting() {
        #expect(JSONText.quoted("a\"b\\c\n\u{1}é") == "\"a\\\"b\\\\c\\n\\u0001é\"")
    }
}

@Suite("Progress")
struct ProgressTests {
    @Test("a bar shows the share, and never more or less than there is", arguments: [
        (0, 100, 0), (50, 100, 10), (100, 100, 20), (200, 100, 20), (0, 0, 0), (-5, 100, 0),
    ] as [(Int64, Int64, Int)])
    func bar(bytes: Int64, total: Int64, full: Int) {
        let text = ProgressBar(Terminal(isTerminal: true, hasBlocks: false)).text(bytes, of: total)
        #expect(text.hasPrefix(String(repeating: "#", count: full) + String(repeating: ".", count: 20 - full) + " "))
        #expect(text.hasSuffix(" of \(ByteCount.text(total))"))
    }

    @Test("the rate is that of the last seconds, and says how long it takes")
    func rate() {
        var rate = TransferRate()
        #expect(rate.text(rest: 10).isEmpty)
        for second in 0...20 { rate.add(Int64(second) * 1024 * 1024, at: Double(second)) }
        #expect(rate.text(rest: 42 << 20) == "1.0 MiB/s, 0:42 left")
        for second in 21...40 { rate.add(20 << 20 + Int64(second - 20) * 1024, at: Double(second)) }
        #expect(rate.bytesPerSecond.map { abs($0 - 1024) < 1 } == true)
        #expect(rate.text(rest: 4 << 20) == "1.0 KiB/s, 1:08:16 left")
        #expect(rate.text(rest: 0) == "1.0 KiB/s")
        rate.add(0, at: 41)
        #expect(rate.bytesPerSecond == nil, "it began anew")
    }

    @Test("sizes are in binary units", arguments: [
        (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (3 << 19, "1.5 MiB"), (5 << 30, "5.0 GiB"),
        (1 << 50, "1048576.0 GiB"),
    ] as [(Int64, String)])
    func sizes(bytes: Int64, expected: String) {
        #expect(ByteCount.text(bytes) == expected)
    }
}
