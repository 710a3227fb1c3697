import Beacon
import Console
import Foundation
import FoundationXML
import Reports
import Testing

@Suite struct RenderingTests {
    private static let hostile = "<script>alert(1)</script> \"&'\u{1B}[31m, \n"
    private static let walk = Self.make()

    private static func make() -> HistoryReport {
        report(
            [
                signal(1, until: 180) { (60.0..<120).contains($0) ? -85 : -55 },
                signal(2, until: 180) { (60.0..<120).contains($0) ? -55 : -85 },
            ], names: [beacon(1): hostile])
    }

    @Test func `text tells what, how long and how strong, without control characters`() {
        let text = Self.walk.rendered(as: .text, localTime: .utc)
        #expect(text.hasPrefix("Ranging report of file:x\n"))
        #expect(text.contains("3 600 sightings of 2 beacons\n") || text.contains("3600 sightings of 2 beacons\n"))
        #expect(text.contains("-55"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `text is plain ASCII where the terminal has nothing else`() {
        let text = report([signal(1, until: 20) { _ in -60 }]).rendered(
            as: .text, terminal: Terminal(isTerminal: false, hasBlocks: false), localTime: .utc)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `lines of text fit a terminal of 80 columns`() {
        let text = report([signal(1, until: 200) { _ in -60 }], names: [beacon(1): "A beacon"]).rendered(
            as: .text, terminal: Terminal(isTerminal: true, columns: 80), localTime: .utc)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `of nothing it says so`() {
        #expect(report([]).rendered(as: .text, localTime: .utc) == "No iBeacon was heard in file:x.\n")
        #expect(report([]).rendered(as: .html, localTime: .utc).contains("Nothing was heard"))
    }

    @Test func `CSV has as many fields as its header`() {
        let lines = report([signal(1, until: 20) { _ in -60 }]).rendered(as: .csv, localTime: .utc).split(separator: "\n")
        #expect(lines.count == 2)
        let fields = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        #expect(fields[0] == fields[1])
        #expect(lines[0].hasPrefix("uuid,major,minor,name,measured_power,first_seen,last_seen,dwell_s,visits,count,rssi_min"))
    }

    @Test func `JSON is JSON, with everything in it`() throws {
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(Self.walk.rendered(as: .json).utf8)) as? [String: Any])
        let beacons = try #require(json["beacons"] as? [[String: Any]])
        #expect(beacons.count == 2)
        #expect(beacons.contains { $0["name"] as? String == Self.hostile })
        let presence = try #require(beacons[0]["presence"] as? [String: Any])
        let counts = try #require(presence["counts"] as? [Int])
        #expect((presence["rssi"] as? [Any])?.count == counts.count)
        #expect((presence["distance_m"] as? [Any])?.count == counts.count)
        #expect((json["transitions"] as? [[String: Any]])?.count == 2)
        #expect((json["scanner"] as? [String: Any])?["blind_s"] as? Double == 0)
    }

    /// As a browser would take it: the page is well-formed XML but for its doctype and its void elements.
    @Test func `the page is well-formed, refers to nothing outside of it, and holds no markup of others`() throws {
        let html = Self.walk.rendered(as: .html, localTime: .utc)
        #expect(!html.contains("<script") && !html.contains("\u{1B}"))
        #expect(html.contains("&lt;script&gt;"))
        for reference in ["http:", "https:", "src=", "href=", "url(", "@import"] { #expect(!html.contains(reference)) }
        #expect(html.contains("default-src 'none'"))
        let body = html.replacing("<!DOCTYPE html>\n", with: "").replacing(
            try Regex("<meta [^>]*>"), with: "")
        let parser = XMLParser(data: Data(body.utf8))
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "") at \(parser.lineNumber)")
    }

    @Test func `every plot has a title and words, and the numbers are in tables`() throws {
        let html = Self.walk.rendered(as: .html, localTime: .utc)
        let plots = html.matches(of: try Regex("<svg "))
        #expect(plots.count >= 6)
        #expect(html.matches(of: try Regex("<svg [^>]*role=\"img\"[^>]*><title>[^<]+</title><desc>[^<]+</desc>")).count == plots.count)
        #expect(html.contains("<caption>Dwell, visits, levels and distances of every beacon</caption>"))
    }
}
