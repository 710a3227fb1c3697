import Beacon
import Console
import Ranging
import Testing

@Suite("Numbers and text")
struct TextTests {
    @Test(
        "numbers have a fixed count of decimals",
        arguments: [
            (1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-0.26, 1, "-0.3"), (12, 0, "12"), (0.005, 2, "0.01"), (1e300, 1, "1e+300"),
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

@Suite("Reports")
struct ReportTextTests {
    private func report(_ seconds: Int) -> Report {
        var builder = ReportBuilder()
        let id = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
        for index in 0..<seconds * 10 {
            builder.add(
                Sighting(
                    time: Timestamp(seconds: 1_767_225_600 + Double(index) / 10), rssi: -60,
                    beacon: IBeacon(id: id, measuredPower: -59)))
        }
        return builder.report()
    }

    @Test("tell people what, how long and how strong")
    func text() {
        let text = ReportText(report(20), names: [:], sources: ["file:x"]).text(Terminal(isTerminal: false))
        #expect(text.contains("Ranging report of file:x"))
        #expect(text.contains("200 sightings of 1 beacon\n"))
        #expect(text.contains("-60"))
    }

    @Test("of nothing say so")
    func empty() {
        let text = ReportText(report(0), names: [:], sources: ["file:x"]).text(Terminal(isTerminal: false))
        #expect(text == "No iBeacon was heard in file:x.\n")
    }

    @Test("as CSV have as many fields as their header")
    func csv() {
        let lines = ReportText(report(20), names: [:], sources: []).csv.split(separator: "\n")
        #expect(lines.count == 2)
        let fields = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        #expect(fields[0] == fields[1])
    }
}
