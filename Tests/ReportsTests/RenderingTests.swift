import Beacon
import Console
import Foundation
import FoundationXML
import Reports
import Testing
import Text

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

    @Test("text tells what, how long and how strong, without control characters")
    func textTells() {
        let text = Self.walk.rendered(as: .text, localTime: .utc)
        #expect(text.hasPrefix("Ranging report of file:x\n"))
        #expect(text.contains("3 600 sightings of 2 beacons\n") || text.contains("3600 sightings of 2 beacons\n"))
        #expect(text.contains("-55"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test("text is plain ASCII where the terminal has nothing else")
    func textIsPlain() {
        let text = report([signal(1, until: 20) { _ in -60 }]).rendered(
            as: .text, terminal: Terminal(isTerminal: false, hasBlocks: false), localTime: .utc)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("lines of text fit a terminal of 80 columns")
    func linesOfText() {
        let text = report([signal(1, until: 200) { _ in -60 }], names: [beacon(1): "A beacon"]).rendered(
            as: .text, terminal: Terminal(isTerminal: true, columns: 80), localTime: .utc)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("the zone is named wherever there are times")
    func zoneIsNamed() {
        let report = report([signal(1, until: 8000, interval: 4) { _ in -60 }])
        let text = report.rendered(as: .text, localTime: .utc)
        #expect(text.contains("00:00 to 1970-01-01 02:13 UTC") && text.contains("VISITS BY HOUR, UTC"))
        let html = report.rendered(as: .html, localTime: .utc)
        #expect(html.contains("02:13 UTC, ") && html.contains("First (UTC)") && html.contains("Times are UTC."))
    }

    @Test("of nothing it says so")
    func ofNothing() {
        #expect(report([]).rendered(as: .text, localTime: .utc) == "No iBeacon was heard in file:x.\n")
        #expect(report([]).rendered(as: .html, localTime: .utc).contains("No iBeacon was heard"))
    }

    @Test("JSON names the zone of its hours of the day")
    func zoneOfJSON() {
        let report = report([signal(1, until: 20) { _ in -60 }])
        #expect(report.rendered(as: .json, localTime: .utc).contains("\"time_zone\":\"UTC\""))
        let seconds = TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: 20))
        let minutes = abs(seconds) / 60
        let offset = (seconds < 0 ? "-" : "+") + String(format: "%02d:%02d", minutes / 60, minutes % 60)
        #expect(report.rendered(as: .json).contains("\"time_zone\":\"\(offset)\""))
    }

    @Test("CSV has as many fields as its header")
    func csvHasAsMany() {
        let lines = report([signal(1, until: 20) { _ in -60 }]).rendered(as: .csv, localTime: .utc).split(
            separator: "\n")
        #expect(lines.count == 2)
        let fields = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        #expect(fields[0] == fields[1])
        #expect(
            lines[0].hasPrefix(
                "uuid,major,minor,name,measured_power,first_seen,last_seen,dwell_s,visits,count,rssi_min"))
    }

    @Test("JSON is JSON, with everything in it")
    func jsonIsJSON() throws {
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
    @Test("the page is well-formed, refers to nothing outside of it, and holds no markup of others")
    func pageIsWellformed() throws {
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

    /// A museum of so many beacons, each the nearest for a while.
    private static func crowd(_ count: UInt16, seconds: Double = 1200) -> HistoryReport {
        report((0..<count).map { minor in
                signal(minor, until: seconds, interval: 2) {
                    Int($0 / 12) % Int(count) == Int(minor) ? -50 : -80 - Int8(minor % 9)
                }
        })
    }

    @Test("text fits any terminal, and tells its beacons apart", arguments: [40, 60, 80, 120, 200])
    func textFits(columns: Int) {
        let long = String(repeating: "Museum of Natural History ", count: 8)
        let report = report(
            (1...4).map { minor in signal(minor, until: 8000, interval: 4) { _ in -60 } },
            names: [beacon(1): long + "1", beacon(2): long + "2", beacon(3): "蒸汽机 متحف 👩‍🚀"])
        let text = report.rendered(as: .text, terminal: Terminal(isTerminal: true, columns: columns), localTime: .utc)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { displayWidth($0) < columns }, "\(text)")
        let rows = lines.drop { !$0.hasPrefix("BEACON") }.dropFirst().prefix(4)
        #expect(Set(rows).count == 4)
    }

    @Test("a page of many beacons is folded, and draws the most frequent ways only")
    func pageOfMany() throws {
        let html = Self.crowd(60).rendered(as: .html, localTime: .utc)
        #expect(
            html.contains("<summary>and 40 more beacons</summary>")
                && html.contains("<summary>and 54 more beacons</summary>"))
        #expect(html.matches(of: try Regex("class=\"way\"")).count <= 20)
        #expect(html.contains("20 most frequent of"))
        #expect(html.contains("Swipe sideways"))
    }

    @Test("text and page list 500 beacons and say how many more there are; the other formats have all")
    func unlisted() throws {
        var report = report([signal(1, until: 5) { _ in -60 }])
        let one = try #require(report.beacons.first)
        report.beacons = (UInt16(1)...512).map { minor in
            var other = one
            other.id = beacon(minor)
            return other
        }
        let text = report.rendered(as: .text, localTime: .utc)
        let html = report.rendered(as: .html, localTime: .utc)
        for people in [text, html] {
            #expect(people.contains("12 beacons with a shorter dwell are not listed; CSV and JSON have them."))
        }
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("1.") }
        #expect(rows.count == 2 * 500 && !rows.contains { $0.hasPrefix("1.501 ") })
        #expect(html.contains(">1.500<") && !html.contains(">1.501<"))
        #expect(report.rendered(as: .csv, localTime: .utc).split(separator: "\n").count == 513)
        #expect(report.rendered(as: .json, localTime: .utc).contains("\"minor\":512"))
        report.beacons.removeLast(12)
        #expect(!report.rendered(as: .text, localTime: .utc).contains("not listed"))
    }

    @Test("charts of all beacons have the same axes")
    func chartsOfAllBeacons() throws {
        let html = Self.crowd(3).rendered(as: .html, localTime: .utc)
        for name in ["Level", "Distance"] {
            let charts = html.matches(of: try Regex("<title>\(name) of [^§]*?</svg>")).map { String(html[$0.range]) }
            #expect(charts.count == 3)
            let axes = try charts.map { chart in
                chart.matches(of: try Regex("text-anchor=\"end\">[^<]*<")).map { String(chart[$0.range]) }
            }
            #expect(Set(axes).count == 1 && axes.first?.isEmpty == false, "\(axes)")
        }
    }

    /// The plots have room for different numbers of marks: the step of each is one of these.
    @Test("marks of time are round", arguments: [
        (20, [2, 5]), (700, [60, 120]), (5000, [600, 900]), (40_000, [3600, 7200]), (400_000, [43_200]), (9e6, []),
        (1.7e9, []),
    ] as [(Double, [Int])])
    func marksOfTime(seconds: Double, steps: [Int]) throws {
        let start = 1_700_000_051.4
        var recording = SourceRecording()
        for moment in [start, start + seconds] {
            recording.add(Sighting(time: time(moment), rssi: -60, beacon: IBeacon(id: beacon(1), measuredPower: -59)))
        }
        let html = recording.report(localTime: .utc).rendered(as: .html, localTime: .utc)
        let label = try Regex("text-anchor=\"middle\">([0-9:-]+)<")
        var plots = 0
        for plot in html.split(separator: "<svg ").dropFirst() {
            let labels = plot.matches(of: label).compactMap { $0.output[1].substring }
            guard !labels.isEmpty else { continue }
            plots += 1
            let times = labels.compactMap { label -> Int? in
                let parts = label.split(separator: ":").compactMap { Int($0) }
                guard parts.count > 1 else { return nil }
                return parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
            }
            #expect(times.isEmpty || steps.contains { step in times.allSatisfy { $0 % step == 0 } }, "\(labels)")
        }
        #expect(plots > 0)
    }

    @Test(
        "shares have two digits that count",
        arguments: [
            (nil, "-"), (0, "0 %"), (0.0004, "<0.1 %"), (0.0094, "0.9 %"), (0.014, "1.4 %"), (0.0996, "10 %"),
            (0.42, "42 %"), (0.997, ">99 %"), (1, "100 %"),
        ] as [(Double?, String)])
    func sharesHave(share: Double?, words: String) {
        var report = report([signal(1, until: 5) { _ in -60 }])
        report.beacons[0].nearestShare = share
        #expect(report.rendered(as: .text, localTime: .utc).contains(" \(words) "))
    }

    @Test("every plot has a title and words, and the numbers are in tables")
    func everyPlot() throws {
        let html = Self.walk.rendered(as: .html, localTime: .utc)
        let plots = html.matches(of: try Regex("<svg "))
        #expect(plots.count >= 6)
        #expect(
            html.matches(of: try Regex("<svg [^>]*role=\"img\"[^>]*><title>[^<]+</title><desc>[^<]+</desc>")).count
                == plots.count)
        #expect(html.contains("<caption>Dwell, visits, levels and distances of every beacon</caption>"))
    }
}
