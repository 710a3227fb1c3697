import Fleet
import FleetServer
import Foundation
import PrometheusMetrics
import TestSupport
import Testing

@Suite("The fleet's metrics", .timeLimit(.minutes(10))) struct MetricTests {
    @Test("count rooms, reasons, scanners and messages")
    func counts() async throws {
        try await ServedFleet.with { fleet in
            fleet.hub.publish(Known.snapshot())
            let text = try await fleet.ask("/metrics").text
            for line in [
                #"beacond_fleet_beacons{room="Hall 1",floor="0"} 1"#,
                #"beacond_fleet_beacons{room="قاعة \"الغزال\"",floor="-1"} 0"#,
                #"beacond_fleet_unknown{reason="not heard"} 1"#, #"beacond_fleet_unknown{reason="blind"} 0"#,
                #"beacond_fleet_scanners{state="gone"} 1"#, "beacond_fleet_messages_total 40",
                #"beacond_fleet_problems{problem="weak"} 1"#, #"beacond_fleet_problems{problem="battery"} 0"#,
                "beacond_fleet_unreadable_total 2", "beacond_fleet_lag_seconds 2", "beacond_fleet_connected 1",
            ] {
                #expect(text.contains(line + "\n"), "\(line)\n\(text)")
            }
        }
    }

    @Test("are in the documentation, each with its kind, labels and help")
    func documented() throws {
        let document = try String(contentsOfFile: "\(Programs.project)/docs/fleet.md", encoding: .utf8)
        let rows = document.split(separator: "\n").filter { $0.hasPrefix("| `beacond_fleet_") }.map(String.init)
        let expected = Metric.fleet.map { metric in
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            return
                "| `\(metric.name)` | \(metric.kind == .counter ? "counter" : "gauge") | \(labels) | \(metric.help) |"
        }
        #expect(rows == expected)
    }
}
