import Beacon
import Broker
import Content
import DeviceReports
import Events
import Foundation
import Settings
import SiteFormat
import TestSupport
import Testing

@Suite("Reports that are made before the site's list has come", .timeLimit(.minutes(10)))
struct UnansweredTests {
    @Test("wait for it, are sent if it asks for them, and are dropped when another list does not")
    func asked() async throws {
        let device = try Device()
        defer { device.end() }
        try await device.waitForReport()
        #expect(device.relay.next() == nil)
        let answered = device.hub.time.rfc3339
        device.answer(asking: true)
        #expect(try await device.nextEnd() <= answered)
        device.answer(asking: false)
        try await device.waitForNone()
        let dropped = device.hub.time.rfc3339
        try await waitUntil("the one that is being sent is withdrawn") {
            device.relay.rewind()
            return device.relay.next() == nil
        }
        device.answer(asking: true)
        #expect(try await device.nextEnd() > dropped)
    }

    @Test("are dropped when it has come and does not ask for them, and not sent to a later list that does")
    func unasked() async throws {
        let device = try Device()
        defer { device.end() }
        try await device.waitForReport()
        device.answer(asking: false)
        try await device.waitForNone()
        let dropped = device.hub.time.rfc3339
        #expect(device.relay.next() == nil)
        device.answer(asking: true)
        #expect(try await device.nextEnd() > dropped)
    }
}

/// A device that reports every second or two to a broker that acknowledges nothing. Its site answers when it is told.
private struct Device {
    let hub = EventHub(names: Names())
    let relay = PublicationRelay()
    private let running: Task<Void, any Error>

    init() throws {
        let service = DeviceReportService(
            DeviceReportSettings(interval: 1, host: "hall-3", topic: "report"),
            content: try ContentSettings(baseURL: "http://127.0.0.1", directory: try temporaryFolder("reports")),
            hub: hub, observer: ReportObserver(), relay: relay, version: "1")
        running = Task { try await service.run() }
    }

    func end() { running.cancel() }

    func answer(asking: Bool) {
        var site = SiteStatus()
        site.hasAnswered = true
        site.reports = asking ? ManifestPath("reports") : nil
        hub.publish(site)
    }

    func waitForReport() async throws {
        try await waitUntil("a report waits") { (hub.snapshot.reports?.waiting ?? 0) > 0 }
    }

    func waitForNone() async throws {
        try await waitUntil("no report waits") { hub.snapshot.reports?.waiting == 0 }
    }

    /// The end of the period of the next report that is sent.
    func nextEnd() async throws -> String {
        let sent = try await eventually("a report is sent") { relay.next() }
        let json = try JSONSerialization.jsonObject(with: Data(sent.publication.payload.utf8)) as? [String: Any]
        return try #require(json?["period_end"] as? String)
    }
}
