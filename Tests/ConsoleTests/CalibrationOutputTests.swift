import Beacon
import Console
import Foundation
import FoundationXML
import Ranging
import Testing
import Text

@Suite("A calibration's result")
struct CalibrationOutputTests {
    private let id = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 7, minor: 9)

    private func result(
        _ levels: [(metres: Double, level: Int)], scatter: Int = 4, claimed: Int8 = -59, name: String? = nil
    ) throws -> CalibrationResult {
        var calibration = Calibration()
        for (metres, level) in levels {
            for step in 0..<200 { calibration.add(Int8(level + (step * 7 % (2 * scatter + 1)) - scatter), at: metres) }
        }
        return CalibrationResult(
            id: id, name: name, scanner: "hci0", estimate: try #require(calibration.estimate(claimed: claimed)),
            siteExponent: 2.2)
    }

    @Test("has the documented keys, and numbers that fit each other")
    func json() throws {
        let text = try result([(1, -66), (4, -80)]).json
        let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let documented = [
            "uuid", "major", "minor", "measured_power_advertised", "samples", "distance_m", "measured_power", "low",
            "high", "scanner",
        ]
        #expect(documented.allSatisfy { object[$0] != nil && !(object[$0] is NSNull) })
        #expect(object["samples"] as? Int == 400)
        #expect(object["distance_m"] as? Double == 1)
        let power = try #require(object["measured_power"] as? Double)
        #expect((-67 ... -64).contains(power))
        let (low, high) = (try #require(object["low"] as? Double), try #require(object["high"] as? Double))
        #expect(low < power && power < high)
        #expect((object["points"] as? [[String: Any]])?.count == 2)
        #expect(object["recommendation"] as? String == "correct")
    }

    @Test(
        "says what to do",
        arguments: [
            (-59, 4, "keep it"), (-68, 4, "Correct it"), (-68, 20, "measure again"), (-85, 4, "was the distance right"),
        ])
    func advice(level: Int, scatter: Int, words: String) throws {
        #expect(try result([(1, level)], scatter: scatter).text(Terminal(isTerminal: false)).contains(words))
    }

    @Test("is plotted with a row for each distance, the farther the weaker, within 80 columns")
    func plot() throws {
        let lines = try result([(1, -45), (2, -60), (8, -95)]).text(Terminal(isTerminal: false)).split(separator: "\n")
        let rows = lines.filter { $0.contains("█") }
        #expect(rows.count == 3)
        let peaks = rows.compactMap { Array($0).firstIndex(of: "█") }
        #expect(peaks == peaks.sorted(by: >))
        #expect(
            lines.filter { $0.contains("█") || $0.contains("dBm") && $0.contains("-90") }.allSatisfy { $0.count <= 80 })
        let isASCII = try result([(1, -45)]).text(Terminal(isTerminal: false, hasBlocks: false)).unicodeScalars
            .allSatisfy(\.isASCII)
        #expect(isASCII)
    }

    @Test("is a well-formed picture, whatever the beacon is called")
    func svg() throws {
        let svg = try result([(1, -66), (4, -80)], name: "<A> & \"B\"").svg
        let parser = XMLParser(data: Data(svg.utf8))
        let elements = Elements()
        parser.delegate = elements
        #expect(parser.parse())
        #expect(elements.names["circle"] == 2 && elements.names["polygon"] == 1)
        #expect(svg.contains("&lt;A&gt; &amp;"))
        #expect(!svg.contains("nan") && !svg.contains("inf"))
    }
}

/// Counts the elements of a document.
private final class Elements: NSObject, XMLParserDelegate {
    var names: [String: Int] = [:]

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        names[name, default: 0] += 1
    }
}
