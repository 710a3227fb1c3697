import Publishing
import TestSupport
import Testing
import Text

@Suite struct CSVTableTests {
    @Test("what is written is read back, whatever is in it", arguments: 0..<50 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "=", "+1", "-", "@", "'", "\"", ",", ";", "\t", "\n", "\r\n", "a", "Wal", "\u{1F40B}", "é", "\u{301}",
            "\u{FF1D}",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...5, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
        var table = CSVTable(columns: ["one", "two", "three"])
        for _ in 0..<20 { table.rows.append(.init(fields: ["x" + text(), text(), text()])) }
        let again = try CSVTable(Array(table.csv.utf8), source: "table.csv")
        #expect(again.columns == table.columns)
        #expect(again.rows.map(\.fields) == table.rows.map(\.fields))
    }

    @Test(
        "no spreadsheet runs a text as a formula",
        arguments: [
            "=1+1", "+cmd|'/c calc'!A0", "-2+3", "@SUM(A1)", " =1", "\t=1", "\u{FF1D}1", "'=1",
        ])
    func formulas(text: String) throws {
        let csv = CSVTable(columns: ["text"], rows: [.init(fields: [text])]).csv
        let line = try #require(csv.split(separator: "\r\n").last)
        #expect(line.drop { $0 == "\"" }.hasPrefix("'"), "\(line)")
    }

    @Test(
        "column names are read as they were written",
        arguments: [["=a", "b"], ["a;b;c", "d"], ["e", "\u{301}f\"\u{301}"], ["\u{301}", "g"]])
    func columns(_ names: [String]) throws {
        let again = try CSVTable(Array(CSVTable(columns: names).csv.utf8), source: "table.csv")
        #expect(again.columns == names)
    }

    @Test("numbers stay numbers", arguments: ["-2.25", "+3", "18"])
    func numbers(text: String) {
        #expect(CSVTable(columns: ["n"], rows: [.init(fields: [text])]).csv.hasSuffix("\(text)\r\n"))
    }

    @Test("semicolons and tabs are read too, as some spreadsheets write them", arguments: [",", ";", "\t"])
    func separators(separator: String) throws {
        let text = ["a\(separator)b", "1\(separator)\"2, 3; 4\""].joined(separator: "\n")
        let table = try CSVTable(Array(text.utf8), source: "table.csv")
        #expect(table.rows.map(\.fields) == [["1", "2, 3; 4"]])
        #expect(table.rows.map(\.line) == [2])
    }

    @Test("empty columns at the right are no columns, in the header and in rows")
    func emptyColumns() throws {
        let table = try CSVTable(Array("a;b;;\r\n1;2;;;;\r\n3;;;\r\n;;;\r\n".utf8), source: "table.csv")
        #expect(table.columns == ["a", "b"])
        #expect(table.rows.map(\.fields) == [["1", "2"], ["3", ""]])
    }

    @Test("a first line may name the separator", arguments: ["sep=;", "SEP=;"])
    func namedSeparator(_ line: String) throws {
        let text = "\u{FEFF}\(line)\r\na;\"b,c\"\r\n1;2\r\n"
        let table = try CSVTable(Array(text.utf8), source: "table.csv")
        #expect(table.columns == ["a", "b,c"])
        #expect(table.rows.map(\.fields) == [["1", "2"]])
        #expect(table.rows.map(\.line) == [3])
    }

    @Test("rows know the line on which they begin, also after texts of several lines")
    func lines() throws {
        let table = try CSVTable(Array("a,b\r\n\"x\ny\nz\",1\r\n\r\nq,2\r\n".utf8), source: "table.csv")
        #expect(table.rows.map(\.line) == [2, 6])
    }

    @Test(
        "what is no table is refused with its line",
        arguments: [
            ("", "table.csv: it is empty"), ("a,a\n", "table.csv:1"), ("a\n\"b", "table.csv:2"),
            ("a\nb,c\n", "table.csv:2"),
            ("a\n\"b\"c\n", "table.csv:2"), ("a\n1\n\"b\nc\nd\n", "table.csv:3: a quotation mark"),
            (";;\n1;2;3\n", "table.csv:1: it names no column"), ("a;;\n1;2;\n", "table.csv:2"),
        ])
    func refused(text: String, place: String) throws {
        let error = try #require(throws: PublishingError.self) {
            try CSVTable(Array(text.utf8), source: "table.csv")
        }
        #expect(error.description.hasPrefix(place), "\(error)")
    }

    @Test("any bytes are read or refused", arguments: 0..<4 as Range<UInt64>)
    func fuzzed(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab,;\"'\r\n=\t\u{C3}\u{FE}".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        var read = 0
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator))
                .map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            if (try? CSVTable(bytes, source: "x")) != nil { read += 1 }
        }
        #expect((1..<2000).contains(read))
    }
}
