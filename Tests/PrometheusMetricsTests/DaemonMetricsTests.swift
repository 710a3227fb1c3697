import Beacon
import Content
import Events
import HCI
import PrometheusMetrics
import Listening
import Platform
import Radio
import Ranging
import SiteFormat
import Synchronization
import Testing
import TestSupport

private let uuid = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)

private func beacon(_ minor: UInt16) -> BeaconID { BeaconID(uuid: uuid, major: 1, minor: minor) }

/// Seconds that pass only when they are told to.
private final class Time: Sendable {
    private let seconds = Mutex(1_767_225_600.0)

    var now: Timestamp { Timestamp(seconds: seconds.withLock { $0 }) }

    func pass(_ more: Double) { seconds.withLock { $0 += more } }
}

private struct Fixture {
    let registry = MetricRegistry()
    let names = Names()
    let time = Time()
    let hub: EventHub

    init() {
        let time = time
        hub = EventHub(names: names, presenters: [MetricsPresenter(registry)]) { time.now }
        registry.add(hub)
    }

    func ready(_ id: BeaconID?, files: Int, bytes: Int64 = 0) -> DaemonEvent {
        .content(
            .ready(
                id,
                ContentSummary(
                    name: nil, scope: id.map { .beacon($0) } ?? .uncategorized, fetchedAssets: files,
                    fetchedBytes: bytes, assets: files, bytes: bytes, unchanged: files == 0)))
    }
}

@Suite("What the daemon measures")
struct DaemonMetricsTests {
    private let fixture = Fixture()
    private var lines: [String] { fixture.registry.text.split(separator: "\n").map(String.init) }

    @Test("events are counted by kind, and switches of the nearest")
    func events() {
        fixture.hub.publish(.ranging(.entered(beacon(1))))
        fixture.hub.publish(.ranging(.nearest(beacon(1), previous: nil)))
        fixture.hub.publish(.ranging(.nearest(nil, previous: beacon(1))))
        #expect(lines.contains("beacond_events_total{event=\"entered\"} 1"))
        #expect(lines.contains("beacond_events_total{event=\"nearest\"} 2"))
        #expect(lines.contains("beacond_nearest_switches_total 2"))
        fixture.hub.publish(.trouble(part: "mqtt", problem: "the broker is away", retry: 1))
        #expect(lines.contains("beacond_part_failures_total{part=\"mqtt\"} 1"))
        #expect(lines.contains("beacond_part_failing{part=\"mqtt\"} 1"))
        fixture.hub.publish(.mended(part: "mqtt"))
        #expect(!lines.contains { $0.hasPrefix("beacond_part_failing{") })
    }

    @Test("what has not happened yet is 0 and not absent")
    func zeros() {
        #expect(lines.contains("beacond_nearest_switches_total 0"))
        #expect(lines.contains("beacond_events_total{event=\"part\"} 0"))
        #expect(lines.contains("beacond_configuration_reloads_total{outcome=\"refused\"} 0"))
        #expect(lines.contains("beacond_content_syncs_total{outcome=\"failed\"} 0"))
        #expect(lines.contains("beacond_scanner_blind 1"), "until something is heard")
    }

    @Test("the time from a new nearest beacon to its content, once a change")
    func readiness() {
        fixture.hub.publish(.ranging(.nearest(beacon(1), previous: nil)))
        fixture.time.pass(3)
        // Another beacon's content says nothing about this one's.
        fixture.hub.publish(fixture.ready(beacon(2), files: 1, bytes: 10))
        fixture.hub.publish(fixture.ready(beacon(1), files: 2, bytes: 500))
        fixture.time.pass(100)
        fixture.hub.publish(fixture.ready(beacon(1), files: 0))
        #expect(lines.contains("beacond_content_ready_seconds_count 1"), "\(lines)")
        #expect(lines.contains("beacond_content_ready_seconds_sum 3"))
        #expect(lines.contains("beacond_content_syncs_total{outcome=\"fetched\"} 2"))
        #expect(lines.contains("beacond_content_syncs_total{outcome=\"unchanged\"} 1"))
    }

    @Test("the site: its revision, its problem, and all that was fetched, also in advance")
    func site() {
        #expect(lines.contains("beacond_content_fetched_bytes_total 0") && lines.contains("beacond_site_problem 0"))
        var status = SiteStatus()
        status.revision = 7
        status.problem = "the list is not there"
        status.fetchedFiles = 3
        status.fetchedBytes = 510
        fixture.hub.publish(status)
        #expect(lines.contains("beacond_content_fetched_bytes_total 510"))
        #expect(lines.contains("beacond_content_fetched_files_total 3"))
        #expect(lines.contains("beacond_site_revision 7") && lines.contains("beacond_site_problem 1"))
    }

    @Test("a source is in one state, and its losses and returns are counted")
    func sources() {
        fixture.hub.publish(.lost(source: "hci1", problem: "it is not there", retry: 1))
        #expect(lines.contains("beacond_source_losses_total{source=\"hci1\"} 0"), "it was never there")
        fixture.hub.publish(.listening(source: "hci0", how: "extended commands"))
        #expect(lines.contains("beacond_source_losses_total{source=\"hci0\"} 0"))
        fixture.hub.publish(.lost(source: "hci0", problem: "it was pulled out", retry: 1))
        fixture.hub.publish(.lost(source: "hci0", problem: "it is not there", retry: 1))
        #expect(lines.contains("beacond_source_state{source=\"hci0\",state=\"lost\"} 1"))
        #expect(lines.contains("beacond_source_state{source=\"hci0\",state=\"listening\"} 0"))
        fixture.hub.publish(.listening(source: "hci0", how: "extended commands"))
        #expect(lines.contains("beacond_source_state{source=\"hci0\",state=\"listening\"} 1"))
        #expect(lines.contains("beacond_source_losses_total{source=\"hci0\"} 1"))
    }

    @Test("the nearest beacon is one series, which goes when none is near")
    func nearest() {
        fixture.names.add([beacon(1): "The \"Loom\""])
        let ranged = RangedBeacon(
            rank: 1, id: beacon(1), rssi: -60, filteredRSSI: -60, measuredPower: -59,
            distance: Distance(metres: 1.5, low: 1, high: 2), proximity: .near,
            lastSeen: Timestamp(seconds: 1), count: 7)
        fixture.hub.publish(
            Ranking(time: Timestamp(seconds: 1), nearest: beacon(1), beacons: [ranged]), isBlind: false)
        #expect(
            lines.contains(
                "beacond_nearest_info{uuid=\"\(uuid)\",major=\"1\",minor=\"1\",name=\"The \\\"Loom\\\"\"} 1"))
        #expect(lines.contains("beacond_nearest_distance_metres 1.5"))
        #expect(lines.contains("beacond_beacons_present 1"))
        #expect(lines.contains("beacond_scanner_blind 0"))
        fixture.hub.publish(Ranking(time: Timestamp(seconds: 2), nearest: nil, beacons: []), isBlind: true)
        #expect(!lines.contains { $0.hasPrefix("beacond_nearest_info") })
        #expect(lines.contains("beacond_scanner_blind 1"))
    }

    @Test("what sources count is read at each scrape")
    func tallies() {
        let reports = Mutex(0)
        fixture.registry.add(
            tallies: {
                var entry = SourceCounters.Entry(source: "sim")
                entry.connections = 2
                entry.tally.counts.reports = reports.withLock { $0 }
                entry.tally.interference.stopped = 2
                entry.tally.trouble.steps[.reset] = 1
                entry.tally.trouble.refused[.commandDisallowed] = 3
                return [entry]
            }, dropped: { 5 })
        reports.withLock { $0 = 42 }
        #expect(lines.contains("beacond_source_reports_total{source=\"sim\"} 42"))
        #expect(lines.contains("beacond_source_interference_total{source=\"sim\",kind=\"stopped\"} 2"))
        #expect(lines.contains("beacond_source_recovery_total{source=\"sim\",stage=\"reset\"} 1"))
        #expect(lines.contains("beacond_source_recovery_total{source=\"sim\",stage=\"restart\"} 0"))
        #expect(
            lines.contains(
                "beacond_source_command_errors_total{source=\"sim\",code=\"Command Disallowed (0x0C)\"} 3"))
        #expect(lines.contains("beacond_source_connections_total{source=\"sim\"} 2"))
        #expect(lines.contains("beacond_sightings_dropped_total 5"))
        reports.withLock { $0 = 43 }
        #expect(lines.contains("beacond_source_reports_total{source=\"sim\"} 43"))
    }

    @Test("the process tells its CPU, memory, descriptors and start as other programs do")
    func process() throws {
        fixture.registry.addProcess()
        func value(_ name: String) throws -> Double {
            let line = try #require(lines.first { $0.hasPrefix(name + " ") })
            return try #require(Double(line.dropFirst(name.count + 1)))
        }
        #expect(try value("process_resident_memory_bytes") > 1_000_000)
        #expect(try value("process_open_fds") >= 3)
        #expect(try value("process_cpu_seconds_total") > 0)
        #expect(try value("process_start_time_seconds") > 1_600_000_000)
        #expect(try value("process_start_time_seconds") <= Double(WallClock.now.microseconds) / 1e6 + 1)
        #expect(lines.contains { $0.hasPrefix("beacond_build_info{version=\"") })
    }
}
