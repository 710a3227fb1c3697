import Foundation
import TestSupport
import Testing

/// The daemon's history as it is asked for.
@Suite(.timeLimit(.minutes(10)))
struct HistoryReportTests {
    @Test("report tells the daemon's history in every format, up to now")
    func formats() async throws {
        let asked = try await ControlTests.Asked()
        defer { asked.cleanUp() }
        // It begins with the daemon, beside ranging.
        let text = try await eventually("the first beacon is in it") {
            let text = try await asked.ctl("report", "--since", "1h")
            return text.output.contains("Steam Engine") ? text : nil
        }
        #expect(text.status == 0)
        #expect(text.output.hasPrefix("Ranging report of sim\n") && text.output.contains("DWELL"))

        let json = try await asked.ctl("report", "--format", "json", "--since", "all")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect((document["beacons"] as? [[String: Any]])?.contains { $0["name"] as? String == "Steam Engine" } == true)
        let csv = try await asked.ctl("report", "--format", "csv")
        #expect(csv.lines.first?.hasPrefix("uuid,major,minor,name") == true && csv.lines.count > 1)

        let page = "\(asked.folder)/page.html"
        #expect(try await asked.ctl("report", "--format", "html", "-o", page).status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n") && html.contains("<svg "))

        let wrong = try await asked.ctl("report", "--since", "yesterday")
        #expect(wrong.status == 2 && wrong.errors.contains("24h"))
    }

    @Test("a restart loses nothing, and where history is off that is said")
    func restart() async throws {
        let asked = try await ControlTests.Asked()
        defer { asked.cleanUp() }
        let before = try await eventually("all six beacons are in it") {
            let report = try await asked.ctl("report", "--format", "csv")
            return report.lines.count < 7 ? nil : report
        }
        _ = try await asked.daemon.stop(with: SIGTERM)
        #expect(FileManager.default.fileExists(atPath: "\(asked.folder)/state/history.sqlite"))
        try "history: {enabled: false}\n".write(
            toFile: "\(asked.folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let second = try ControlTests.Asked.start(asked.folder)
        try await second.waitUntil("something is near") { $0.errors.contains("nearest  ") }
        let off = try await asked.ctl("report")
        #expect(off.status == 1 && off.errors.contains("history.enabled"))
        try "{}\n".write(toFile: "\(asked.folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let after = try await eventually("there is a history again") {
            let report = try await asked.ctl("report", "--since", "all", "--format", "csv")
            return report.status == 0 ? report : nil
        }
        func sightings(_ lines: [String]) -> [Int] {
            let place = lines.first?.split(separator: ",").firstIndex(of: "count") ?? 0
            return lines.dropFirst().compactMap {
                Int($0.split(separator: ",", omittingEmptySubsequences: false)[place])
            }
        }
        #expect(sightings(after.lines).reduce(0, +) >= sightings(before.lines).reduce(0, +))
        #expect(after.lines.count == 7)
    }
}
