import Foundation
import PrometheusMetrics
import Testing
import TestSupport

@Suite("The documentation of the metrics")
struct DocumentationTests {
    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(Programs.project)/docs/\(file)", encoding: .utf8)
    }

    @Test("lists every metric with its kind, labels and help, and none that is not there")
    func complete() throws {
        let rows = try text("metrics.md").split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let expected = Metric.all.map { metric in
            let kind =
                switch metric.kind {
                case .counter: "counter"
                case .gauge: "gauge"
                case .histogram: "histogram"
                }
            return "| `\(metric.name)` | \(kind) | \(metric.labels.map { "`\($0)`" }.joined(separator: ", ")) "
                + "| \(metric.help) |"
        }
        #expect(rows.sorted() == expected.sorted())
    }

    @Test("names follow Prometheus' conventions")
    func conventions() {
        for metric in Metric.all {
            #expect(metric.name.wholeMatch(of: /(beacond|process)_[a-z_]+/) != nil, "\(metric.name)")
            #expect((metric.kind == .counter) == metric.name.hasSuffix("_total"), "\(metric.name)")
        }
        #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
    }

    private struct Dashboard: Decodable {
        var panels: [Panel]

        struct Panel: Decodable {
            var id: Int
            var title: String
            var targets: [Target]?
        }

        struct Target: Decodable {
            var expr: String
        }
    }

    @Test("the dashboard and the alerts ask only for metrics and labels that there are", arguments: [true, false])
    func expressions(isDashboard: Bool) throws {
        let expressions =
            if isDashboard {
                try JSONDecoder().decode(Dashboard.self, from: Data(try text("grafana-dashboard.json").utf8)).panels
                    .flatMap { $0.targets ?? [] }.map(\.expr)
            } else {
                try text("metrics.md").split(separator: "\n").filter { $0.contains(" expr: ") }.map(String.init)
            }
        try #require(expressions.count >= 3)
        let names = Set(Metric.all.flatMap(\.exposedNames))
        for expression in expressions {
            let used = expression.matches(of: /\b(?:beacond|process)_[a-z_]+/).map { String($0.output) }
            #expect(!used.isEmpty && Set(used).isSubset(of: names), "\(expression)")
            let metrics = Metric.all.filter { !Set($0.exposedNames).isDisjoint(with: used) }
            let labels = Set(metrics.flatMap(\.labels) + ["instance", "job", "le"])
            let asked =
                expression.matches(of: /([a-z_]+)(?:=~|!=|=)"/).map { String($0.output.1) }
                + expression.matches(of: /by \(([a-z_]+)\)/).map { String($0.output.1) }
            #expect(Set(asked).isSubset(of: labels), "\(expression)")
        }
    }

    @Test("panels have different numbers, as Grafana wants them")
    func panels() throws {
        let panels = try JSONDecoder().decode(Dashboard.self, from: Data(try text("grafana-dashboard.json").utf8))
            .panels
        #expect(Set(panels.map(\.id)).count == panels.count)
    }
}
