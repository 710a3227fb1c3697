import Captures
import Console
import Foundation
import Testing
import Text

/// Names as people have them, which stay as they are.
let scripts = [
    "Steam Engine", "Gießerei Nº 5", "蒸汽机 — 大厅", "متحف البخار", "נר ה' 3", "می‌خواهم", "क्षत्रिय",
    "👩‍🚀 Rakete "
        + "❤️", "🇩🇪 한국어 ｶﾅ",
    "e\u{301}",
]

@Suite("Text from outside")
struct PrintableTextTests {
    @Test("stays as it is in any script", arguments: scripts)
    func kept(text: String) {
        #expect(printable(text) == text)
        #expect(printableLines("\(text)\n\(text)") == "\(text)\n\(text)")
    }

    @Test(
        "can neither move the cursor, nor turn or hide what is beside it",
        arguments: [
            ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"), ("a\u{9B}31mb", "a\u{FFFD}31mb"), ("a\u{202E}b", "a\u{FFFD}b"),
            ("a\u{2066}\u{2067}\u{2069}b", "a\u{FFFD}b"), ("a\u{200B}\u{FEFF}\u{AD}b", "a\u{FFFD}b"),
            ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"), ("a\r\nb\tc", "a b c"), ("\u{301}x", "\u{FFFD}x"),
            ("a\u{200D}b", "a\u{FFFD}b"),
            ("a\u{E0041}\u{E007F}", "a\u{FFFD}"), ("\u{7F}", "\u{FFFD}"), ("a\u{3164}b", "a\u{FFFD}b"), ("", ""),
            ("a\u{FFFF}b", "a\u{FFFD}b"),
        ] as [(String, String)])
    func made(text: String, expected: String) {
        #expect(printable(text) == expected)
    }

    @Test("has its lines, whatever ends them")
    func lines() {
        #expect(printableLines("a\r\n\nb\u{1B}\r\n") == "a\n\nb\u{FFFD}\n")
    }

    @Test("has a bounded heap of marks on a letter")
    func marks() {
        #expect(printable("Z" + String(repeating: "\u{351}", count: 500)).unicodeScalars.count == 9)
    }

    @Test(
        "is the same JSON value, in which nothing is hidden",
        arguments: scripts + ["a\u{202E}b\u{2028}\u{9B}\u{1B}\u{E0041}\u{FEFF}"])
    func json(text: String) throws {
        let quoted = JSONText.quoted(text)
        #expect(
            try JSONSerialization.jsonObject(with: Data(quoted.utf8), options: .fragmentsAllowed) as? String == text)
        #expect(
            quoted.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            })
    }

    @Test("random text becomes one line that can be made printable no further")
    func random() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let scalars = (0..<40).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0x2100 : 0xE01FF), using: &random))
            }
            let once = printable(String(String.UnicodeScalarView(scalars)))
            #expect(printable(once) == once, "\(scalars)")
            #expect(!once.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test(
        "in CSV is quoted, and no formula",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("a,\u{301}b", "\"a,\u{301}b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""), ("=1+1", "'=1+1"),
            ("-59", "'-59"),
            ("+x,y", "\"'+x,y\""), ("@SUM(A1)", "'@SUM(A1)"), ("'=x", "''=x"), ("'quoted'", "'quoted'"),
            ("\u{FF1D}1", "'\u{FF1D}1"),
            ("\t=1", " =1"), ("a\u{1B}[31mb", "a\u{FFFD}[31mb"), ("two\nlines", "two lines"), ("متحف", "متحف"),
        ] as [(String, String)])
    func csv(text: String, field: String) {
        #expect(csvField(text) == field)
    }

    @Test(
        "in CSV is read back as it was",
        arguments: ["hci0", "=1+1", "-x", "'=x", "''-", "'quoted'", "a,\"b\"", "@", "+1", "\u{FF0D}x"])
    func readBack(name: String) throws {
        let rows = """
            time,scanner,uuid,major,minor,measured_power,rssi
            1,\(csvField(name)),7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096,1,2,-59,-60

            """
        let path = NSTemporaryDirectory() + "/csv-\(UUID().uuidString).csv"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try rows.write(toFile: path, atomically: false, encoding: .utf8)
        var reader = try CaptureReader(path: path)
        while try reader.next({ _, _ in }) {}
        #expect(reader.scannerNames == [name])
    }
}

@Suite("Columns on a terminal")
struct DisplayWidthTests {
    @Test(
        "are counted as terminals do",
        arguments: [
            ("abc", 3), ("蒸汽机", 6), ("متحف", 4), ("e\u{301}", 1), ("한국", 4), ("ｶﾅ", 2), ("▁▂▃", 3), ("…", 1), ("🚂", 2),
            ("", 0), ("か\u{3099}", 2),
        ] as [(String, Int)])
    func width(text: String, columns: Int) {
        #expect(displayWidth(text) == columns)
        #expect(displayWidth(pad(text, 12)) == 12 && displayWidth(pad(text, -12)) == 12)
    }

    @Test("bound what is cut, wherever it is cut", arguments: scripts, 1...12)
    func cut(text: String, width: Int) {
        for place in [TextCut.beginning, .middle, .end] {
            #expect(displayWidth(shortened(text, width, cut: place)) <= width)
        }
    }

    @Test("cut texts that differ stay apart, wherever they differ")
    func apart() {
        let long = String(repeating: "Museum of Natural History, ", count: 8)
        for texts in [
            ["636F3F8F-6491-4BEE-95F7-D8CC64A863B5 1.1", "636F3F8F-6491-4BEE-95F7-D8CC64A863B5 1.2"],
            [long + "1", long + "2"], ["1" + long, "2" + long], [long + "A" + long, long + "B" + long],
            ["蒸汽机蒸汽机蒸汽机蒸汽机一号蒸汽机蒸汽机蒸汽机", "蒸汽机蒸汽机蒸汽机蒸汽机二号蒸汽机蒸汽机蒸汽机"],
        ] {
            let cut = shortenedApart(texts, 14)
            #expect(Set(cut).count == 2 && cut.allSatisfy { displayWidth($0) <= 14 }, "\(cut)")
        }
    }

    @Test("bound wrapped lines, of which no word is lost", arguments: scripts, 6...12)
    func wrapping(text: String, width: Int) {
        let words = "\(text) and 123456789012345 \(text)"
        let lines = wrapped(words, width)
        #expect(lines.allSatisfy { displayWidth($0) <= width }, "\(lines)")
        #expect(lines.joined().filter { $0 != " " } == words.filter { $0 != " " })
    }
}

@Suite("A table")
struct TextTableTests {
    private func table(_ names: [String]) -> TextTable {
        var table = TextTable([
            .init("NAME", least: 8), .init("COUNT", isNumber: true), .init("SINCE", rank: 1),
            .init("LEVEL", least: 4, reserved: 16, rank: 2, cut: .beginning),
        ])
        for (index, name) in names.enumerated() {
            table.add([
                .init(name, style: .bold), .init("\(index * 700)"), .init("2026-01-01"), .init("0123456789abcdef"),
            ])
        }
        return table
    }

    @Test("fits any width, its columns below each other", arguments: [20, 24, 30, 39, 59, 79, 119, 199])
    func fits(limit: Int) throws {
        let names =
            scripts + [String(repeating: "long ", count: 40) + "1", String(repeating: "long ", count: 40) + "2"]
        let lines = table(names).lines(Terminal(isTerminal: true, columns: limit + 1))
        #expect(lines.allSatisfy { displayWidth($0) <= limit }, "\(lines)")
        #expect(Set(lines).count == names.count + 1)
        // The numbers end in one column.
        let heading = try #require(lines[0].range(of: "COUNT"))
        let end = displayWidth(lines[0][..<heading.upperBound])
        for (index, line) in lines.dropFirst().enumerated() {
            let number = try #require(
                line.range(
                    of: " \(index * 700)", options: .backwards,
                    range: line.index(after: line.startIndex)..<line.endIndex))
            #expect(displayWidth(line[..<number.upperBound]) == end || index == 0, "\(lines)")
        }
    }

    @Test("leaves out what matters least, and nothing in a pipe")
    func leavesOut() {
        let names = ["Lobby"]
        #expect(table(names).lines(Terminal(isTerminal: true, columns: 24))[0] == "NAME   COUNT")
        #expect(table(names).lines(Terminal(isTerminal: true, columns: 30))[0] == "NAME   COUNT  SINCE")
        #expect(table(names).lines(Terminal(isTerminal: false))[1].hasSuffix("2026-01-01  0123456789abcdef"))
    }

    @Test("makes printable what is in it, and ends without blanks")
    func printed() {
        let lines = table(["a\u{1B}[2Jb\u{202E}"]).lines(Terminal(isTerminal: false))
        #expect(!lines.joined().contains("\u{1B}") && !lines.joined().contains("\u{202E}"))
        #expect(lines.allSatisfy { $0.last != " " })
    }
}
