import Beacon
import Reports
import Testing
import Text

@Suite struct BlindTimeTests {
    private let start = 1_700_000_000.0

    private func assembly(
        blind: [(Double, Double)], _ others: [(RecordedSpan.Subject, Double, Double)]
    ) -> ReportAssembly {
        var assembly = ReportAssembly(span: time(start)...time(start + 36), localTime: .utc)
        let spans = blind.map { (RecordedSpan.Subject.blind, $0.0, $0.1) } + others
        for (number, span) in spans.enumerated() {
            assembly.add(
                RecordedSpan(id: number, subject: span.0, begin: time(start + span.1), end: time(start + span.2)))
        }
        return assembly
    }

    private func add(_ minor: UInt16, to assembly: inout ReportAssembly) {
        assembly.add(
            BeaconInterval(
                id: beacon(minor), start: time(start), seconds: 36, firstSeen: time(start), lastSeen: time(start + 36),
                count: 200, measuredPower: -59))
    }

    @Test("blind time counts neither as dwell nor as nearest nor as time in a region, and ends no visit")
    func blindTime() throws {
        var assembly = assembly(
            // After a clock was set back, two may overlap.
            blind: [(20, 26), (10, 24)],
            [
                (.visit(beacon(1)), 0, 30), (.visit(beacon(1)), 32, 36), (.visit(beacon(2)), 12, 22),
                (.nearest(beacon(1)), 0, 30), (.nearest(beacon(2)), 30, 36), (.region("House"), 0, 36),
            ])
        for minor in UInt16(1)...2 { add(minor, to: &assembly) }
        let report = assembly.report()
        let one = try #require(report.beacons.first)
        let two = try #require(report.beacons.last)
        let region = try #require(report.regions.first)
        #expect(one.visits.visits.count == 2 && one.visits.visits.first?.upperBound == time(start + 30))
        #expect(one.visits.seconds == 18 && one.visits.longestSeconds == 14 && one.visits.medianSeconds == 4)
        #expect(two.visits.visits.count == 1 && two.visits.seconds == 0)
        #expect(one.nearest.seconds == 14 && two.nearest.seconds == 6)
        #expect(one.nearestShare == 0.7 && two.nearestShare == 0.3)
        #expect(region.visits.visits.count == 1 && region.visits.seconds == 20)
        let json = report.rendered(as: .json, localTime: .utc)
        #expect(json.contains("\"dwell_s\":18") && json.contains("\"nearest_share\":0.7"))
        for format in [ReportFormat.text, .html] {
            let text = report.rendered(as: format, localTime: .utc)
            #expect(text.contains("70 %") && text.contains("18 s") && !text.contains("34 s"))
        }
    }

    @Test("a beacon that was the nearest only in blind time has no share")
    func onlyBlind() throws {
        var assembly = assembly(blind: [(0, 36)], [(.visit(beacon(1)), 1, 34), (.nearest(beacon(1)), 1.1, 34.3)])
        add(1, to: &assembly)
        let one = try #require(assembly.report().beacons.first)
        #expect(one.visits.seconds == 0 && one.nearest.seconds == 0 && one.nearestShare == nil)
    }

    @Test("a recording that is blind for a while counts only the rest of a visit")
    func recording() throws {
        var recording = SourceRecording()
        for step in 0..<100 { recording.add(sighting(1, at: start + Double(step) / 10, rssi: -60)) }
        recording.isBlind = true
        recording.advance(to: time(start + 26))
        recording.isBlind = false
        for step in 260..<360 { recording.add(sighting(1, at: start + Double(step) / 10, rssi: -60)) }
        let report = recording.report(localTime: .utc)
        let one = try #require(report.beacons.first)
        #expect(one.visits.visits.count == 1 && abs(report.scanner.blindSeconds - 16) <= 0.5)
        #expect(abs(one.visits.seconds - 20) < 1 && abs(one.nearest.seconds - 20) < 2)
    }

    @Test("where nothing was received, it is said that the scanner was blind", arguments: [ReportFormat.text, .html])
    func nothingReceived(format: ReportFormat) {
        let text = assembly(blind: [(10, 26)], []).report().rendered(as: format, localTime: .utc)
        #expect(text.contains("No iBeacon was heard"))
        #expect(text.contains(format == .text ? "\nThe scanner was blind for 16 s.\n" : "<h2>Scanner blind</h2>"))
        let clear = assembly(blind: [], []).report().rendered(as: format, localTime: .utc)
        #expect(!clear.contains("The scanner was blind") && !clear.contains("Scanner blind"))
    }
}
