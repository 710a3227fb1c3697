import Captures
import Testing

@Suite struct ObservationTests {
    private let uuid = Text.uuid
    private let header = "time,scanner,uuid,major,minor,measured_power,rssi\n"

    private func outcome(_ text: String) throws -> Outcome {
        try withFile(Array(text.utf8)) { path in
            attempt { () throws(CaptureError) in try CaptureReader(path: path) }
        }
    }

    @Test("the documented header is read")
    func theDocumentedHeader() throws {
        let found = try read(Text.observationSample().bytes)
        #expect(found.format == "observation CSV")
        #expect(found.hasTimes == true)
        #expect(found.scannerNames == ["hall", "hall, \"east\""])
        #expect(
            found.contents == [
                "0 \(uuid)/1/2 -59 -70 - public -", "1 \(uuid)/1/3 -59 - - public -",
                "0 \(uuid)/65535/0 4 -71 - public -",
            ])
        #expect(found.times == [1_767_225_600_250_000, 1_767_225_601_000_000, nil])
        #expect(found.records.map(\.line) == [2, 3, 4])
    }

    @Test("a level of 127 is none", arguments: ["127", "+127.0", ""])
    func noLevel(rssi: String) throws {
        let rows = ["126", rssi, "-128"].map { "0,hall,\(uuid),1,2,-59,\($0)\n" }.joined()
        #expect(
            try outcome(header + rows).contents == [
                "0 \(uuid)/1/2 -59 126 - public -", "0 \(uuid)/1/2 -59 - - public -",
                "0 \(uuid)/1/2 -59 -128 - public -",
            ])
    }

    @Test("a header that comes again, as in tables that were joined, is no damage")
    func aHeaderThatComesAgain() throws {
        let table = Text.observationSample().bytes
        let (once, twice) = (try read(table), try read(table + table))
        let again = "skipped: line that belongs to no packet"
        #expect(twice.contents == once.contents + [again] + once.contents)
        #expect(twice.error == nil)
    }

    @Test("the listing's own header is read")
    func theListingsOwnHeader() throws {
        let found = try outcome(
            """
            time,source,address,address_type,event_type,rssi,uuid,major,minor,measured_power
            2026-01-01T00:00:00.250000Z,file:a.btsnoop,66:55:44:33:22:11,random,3,-61,\(uuid),1,2,-56
            ,file:a.btsnoop,66:55:44:33:22:11,public,19,,\(uuid),1,2,-56

            """)
        #expect(found.scannerNames == ["file:a.btsnoop"])
        #expect(
            found.contents == [
                "0 \(uuid)/1/2 -56 -61 66:55:44:33:22:11 random 3",
                "0 \(uuid)/1/2 -56 - 66:55:44:33:22:11 public 19",
            ])
        #expect(found.times == [1_767_225_600_250_000, nil])
        #expect(found.error == nil)
    }

    @Test("the scanner is the receiver, and the source stands in where a row names none")
    func theScannerIsTheReceiverAndTheSourceStandsInWhereARowNamesNone() throws {
        let found = try outcome(
            """
            time,source,uuid,major,minor,measured_power,rssi,scanner
            1,file:a.csv,\(uuid),1,2,-59,-70,hall
            2,file:a.csv,\(uuid),1,2,-59,-71,
            3,,\(uuid),1,2,-59,-72,hall
            4,,\(uuid),1,2,-59,-73,

            """)
        #expect(found.scannerNames == ["hall", "file:a.csv"])
        #expect(
            found.contents.map { $0.prefix(1) } == ["0", "1", "0", "-"])
    }

    @Test("columns may be in any order, with others between, behind a byte order mark")
    func columnsInAnyOrderWithOthersBetweenAndAByteOrderMark() throws {
        let found = try outcome(
            "\u{FEFF}\"RSSI\", Minor ,note,UUID,measured_power,major\r\n"
                + "\"-70\", 2 ,\"a, b\"\"c\"\"\",\(uuid.uppercased()),-59,1\r\n"
                + "-71.0,3,,\(uuid.filter { $0 != "-" }),-59,1,more,fields\r\n")
        #expect(found.hasTimes == false)
        #expect(
            found.contents == ["- \(uuid)/1/2 -59 -70 - public -", "- \(uuid)/1/3 -59 -71 - public -"])
    }

    @Test("bad rows are counted with their line, and reading goes on")
    func badRowsAreCountedWithTheirLineAndReadingGoesOn() throws {
        let rows = [
            "x,a,\(uuid),1,2,-59,-70", "0,a,636f,1,2,-59,-70", "0,a,\(uuid),65536,2,-59,-70",
            "0,a,\(uuid),1,-2,-59,-70", "0,a,\(uuid),1,2,,-70", "0,a,\(uuid),1,2,-59,-200", "0,a,\(uuid)",
            "0,\(String(repeating: "n", count: 256)),\(uuid),1,2,-59,-70", "0,\"a\"b,\(uuid),1,2,-59,-70",
            "9999999999999,a,\(uuid),1,2,-59,-70", "0,a,\(uuid),1.5,2,-59,-70",
        ]
        let found = try outcome(header + rows.joined(separator: "\n\n") + "\n" + "1,a,\(uuid),1,2,-59,-70\n")
        #expect(
            found.contents == [
                "skipped: invalid time, neither seconds since 1970 nor RFC 3339", "skipped: invalid uuid",
                "skipped: invalid major, not a number from 0 to 65535",
                "skipped: invalid minor, not a number from 0 to 65535",
                "skipped: invalid measured_power, not a number from -128 to 127",
                "skipped: invalid rssi, neither empty nor a number from -128 to 127",
                "skipped: too few fields, or broken quoting",
                "skipped: scanner name too long, or too many of them",
                "skipped: too few fields, or broken quoting",
                "skipped: invalid time, neither seconds since 1970 nor RFC 3339",
                "skipped: invalid major, not a number from 0 to 65535",
                "0 \(uuid)/1/2 -59 -70 - public -",
            ])
        #expect(found.records.map(\.line) == (0..<11).map { 2 + 2 * $0 } + [23])
        #expect(found.error == nil)
    }

    @Test("quoted names come back", arguments: [
        "plain", "with blank", "comma, comma", "\"quoted\"", "\"", "\"\"", "line\nend", "line\r\nend", "a\"b", "ünï",
        "\n", ",\n\",", "tail\"",
    ])
    func quotedNamesComeBack(name: String) throws {
        let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
        let row = ",\(quoted),\(uuid),1,2,-59,-70"
        let found = try outcome(header + row + "\n" + row + "\r\n" + row)
        #expect(found.scannerNames == [name])
        #expect(found.contents == [String](repeating: "0 \(uuid)/1/2 -59 -70 - public -", count: 3))
        #expect(found.records[0].line == 2)
        #expect(found.error == nil)
    }

    @Test("a quote that nothing closes costs one row")
    func aQuoteThatNothingClosesCostsOneRow() throws {
        let good = "1,a,\(uuid),1,2,-59,-70\n"
        let found = try outcome(header + "1,\"open,\(uuid),1,2,-59,-70\n" + String(repeating: good, count: 1000))
        #expect(found.contents.filter { $0.hasPrefix("skipped") }.count == 1)
        #expect(found.records.count == 1001)
        #expect(found.records.last?.line == 1002)
    }

    @Test("missing columns are named")
    func missingColumnsAreNamed() throws {
        let found = try outcome("time,uuid,major,minor\n")
        #expect(found.error?.code == .unsupported)
        #expect(found.error?.description.hasSuffix("without the column(s) measured_power, rssi") == true)
        #expect(found.error?.line == 1)
    }

    @Test("a table that is separated otherwise is told so", arguments: [";", "\t"])
    func otherSeparators(separator: String) throws {
        let found = try outcome(header.replacing(",", with: separator) + "1;a;\(uuid);1;2;-59;-70\n")
        #expect(found.error?.code == .unknownFormat)
        let told = separator == ";" ? "separated by ;," : "separated by tabs,"
        #expect(found.error?.description.contains("\(told) and commas are needed") == true)
    }

    @Test("scanner names are bounded")
    func scannerNamesAreBounded() throws {
        var text = header
        for index in 0..<65_600 { text += "1,s\(index),\(uuid),1,2,-59,-70\n" }
        let found = try outcome(text)
        #expect(found.scannerNames.count == 65_535)
        #expect(found.contents.filter { $0.hasPrefix("skipped") }.count == 65)
    }

    @Test("times are exact to the microsecond")
    func timesAreExactToTheMicrosecond() throws {
        let times = ["1581252411.244", "0", "-1.5", "1767225600.1234567", "2026-01-01 01:00:00.5+01:00", "1."]
        let rows = times.map { "\($0),a,\(uuid),1,2,-59,-70\n" }.joined()
        let found = try outcome(header + rows)
        #expect(
            found.times == [
                1_581_252_411_244_000, 0, -1_500_000, 1_767_225_600_123_456, 1_767_225_600_500_000, nil,
            ])
        #expect(found.contents.last == "skipped: invalid time, neither seconds since 1970 nor RFC 3339")
    }
}
