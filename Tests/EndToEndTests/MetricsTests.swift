import Beacon
import Foundation
import Testing
import TestSupport

/// `/metrics` of the real daemon, read by Prometheus' own client.
@Suite(
    .timeLimit(.minutes(10)), .enabled(if: WebPeers.absence == nil, "\(WebPeers.absence ?? "")"),
    .enabled(if: Nginx.program != nil, "nginx is not installed"))
struct MetricsTests {
    /// What a scrape gives, by name and labels.
    private struct Scrape {
        var families: [WebPeers.MetricFamily]

        init(port: UInt16) async throws {
            let answer = try exchange(
                port: port, request: "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            let parts = answer.components(separatedBy: "\r\n\r\n")
            try #require(parts.count == 2 && parts[0].contains(" 200 "), "\(parts[0])")
            #expect(parts[0].lowercased().contains("content-type: text/plain; version=0.0.4"))
            families = try await WebPeers.metrics(in: parts[1])
        }

        func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
            families.flatMap(\.samples).first { sample in
                sample.name == name && labels.allSatisfy { sample.labels[$0] == $1 }
            }.flatMap { Double($0.value) }
        }
    }

    private func get(_ path: String, _ port: UInt16) throws -> String {
        try exchange(port: port, request: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    }

    @Test("tells what comes in, what becomes of it, what is fetched and who asks, as the documentation lists it")
    func scrape() async throws {
        let folder = try TemporaryFolder()
        let beacons = try (1...2).map(Scenarios.beacon)
        try Scenarios.walkPast(seconds: 2, exhibits: 2).write(
            toFile: "\(folder)/two.yaml", atomically: false, encoding: .utf8)
        let setup = try DaemonTests.Setup(beacons, source: "sim:\(folder)/two.yaml")
        defer { setup.cleanUp() }
        let port = try freePort()
        try (try String(contentsOfFile: setup.configuration, encoding: .utf8)
            + "\nhttp:\n  listen: 127.0.0.1:\(port)\ncontrol:\n  socket: none\n")
            .write(toFile: setup.configuration, atomically: true, encoding: .utf8)
        let daemon = try setup.start()
        try await daemon.waitUntil("both exhibits' content has landed") { _ in
            beacons.allSatisfy(setup.has)
        }
        try await daemon.waitUntil("it says so") {
            DaemonTests.events("content", in: $0.errorLines).filter { $0.contains("fetched") }.count >= 2
        }

        // What is counted may be there a moment after the line of the log.
        var scrapes = 0
        let first = try await eventually("what the log says is counted") {
            let scrape = try await Scrape(port: port)
            scrapes += 1
            let isCounted =
                scrape.value("beacond_content_ready_seconds_count") ?? 0 >= 2
                && scrape.value("beacond_content_fetched_bytes_total") ?? 0 >= 800_000
            return isCounted ? scrape : nil
        }
        let source = ["source": "sim:\(folder)/two.yaml"]
        #expect(try #require(first.value("beacond_source_ibeacons_total", source)) > 0)
        #expect(first.value("beacond_source_state", source.merging(["state": "listening"]) { $1 }) == 1)
        #expect(first.value("beacond_source_connections_total", source) == 1)
        #expect(first.value("beacond_scanner_blind") == 0)
        #expect(try #require(first.value("beacond_nearest_switches_total")) >= 2)
        #expect(try #require(first.value("beacond_ranging_tick_duration_seconds_count")) > 0)
        #expect(first.value("beacond_site_problem") == 0)

        // Each answer is counted by the next scrape, whatever is no route only once.
        for path in ["/v1/ranging", "/nothing/here", "/nor/here", "/v1/content/\(Scenarios.uuid)/1/77"] {
            _ = try get(path, port)
        }
        let second = try await Scrape(port: port)
        func requests(_ route: String, _ status: Int) -> Double? {
            second.value("beacond_http_requests_total", ["route": route, "status": "\(status)"])
        }
        #expect(requests("/metrics", 200) == Double(scrapes))
        #expect(requests("/v1/ranging", 200) == 1)
        #expect(requests("other", 404) == 2)
        #expect(requests("/v1/content/{uuid}/{major}/{minor}", 404) == 1)
        #expect(second.value("beacond_http_request_duration_seconds_count", ["route": "/v1/ranging"]) == 1)
        #expect(second.value("beacond_http_event_streams") == 0)
        let reports = ("beacond_source_reports_total", source)
        #expect(try #require(second.value(reports.0, reports.1)) >= #require(first.value(reports.0, reports.1)))

        let document = try String(contentsOfFile: "\(Programs.project)/docs/metrics.md", encoding: .utf8)
        for family in second.families {
            // Prometheus' client leaves `_total` out of a counter's name.
            let name = family.type == "counter" ? family.name + "_total" : family.name
            #expect(document.contains("| `\(name)` |"), "\(name) is not documented")
            #expect(document.contains(family.help), "\(name): \(family.help)")
        }
        #expect(second.families.count >= 25)
        _ = try await daemon.stop()
    }
}
