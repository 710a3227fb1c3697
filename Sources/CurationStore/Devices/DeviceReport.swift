package import Beacon
package import Curation
import Foundation
import SiteFormat

/// What a device reports about itself and the beacons around it, for one period. The JSON is what beacond sends.
package struct DeviceReport: Hashable, Sendable {
    /// The device's name in the network.
    package var host: String
    package var version: String
    /// By the device's clock. A period that is sent again is counted only once.
    package var periodStart: Moment
    package var periodEnd: Moment
    /// The revision that the device has; nil if it has none.
    package var revision: Int64?
    /// Whether the device has all of this revision.
    package var isComplete: Bool
    /// The number of beacons whose content is not complete.
    package var missing: Int
    /// The problems, in the device's words.
    package var problems: [String]
    /// Whether its scanner receives: `ok` or `blind`.
    package var scanner: String
    package var beacons: [Heard]
    package var dwell: [Dwell]

    /// A beacon that the device receives.
    package struct Heard: Hashable, Sendable {
        package var id: BeaconID
        /// Filtered level in dBm.
        package var rssi: Double?
        /// Estimated advertising interval in milliseconds.
        package var intervalMs: Double?
        package var lastSeen: Moment?

        package init(id: BeaconID, rssi: Double? = nil, intervalMs: Double? = nil, lastSeen: Moment? = nil) {
            self.id = id
            self.rssi = rssi
            self.intervalMs = intervalMs
            self.lastSeen = lastSeen
        }
    }

    /// How long a beacon was the nearest during the period, with the revision that the device had then.
    package struct Dwell: Hashable, Sendable {
        package var id: BeaconID
        package var revision: Int64
        package var seconds: Double
        package var visits: Int

        package init(id: BeaconID, revision: Int64, seconds: Double, visits: Int) {
            self.id = id
            self.revision = revision
            self.seconds = seconds
            self.visits = visits
        }
    }

    package init(host: String, version: String = "", periodStart: Moment, periodEnd: Moment, revision: Int64? = nil) {
        self.host = host
        self.version = version
        self.periodStart = periodStart
        self.periodEnd = periodEnd
        self.revision = revision
        isComplete = true
        missing = 0
        problems = []
        scanner = "ok"
        beacons = []
        dwell = []
    }

    /// The length of the period in seconds, at least 1.
    package var period: Double { max(1, periodEnd.time.seconds(since: periodStart.time)) }
}

extension DeviceReport {
    static let remedy = "report what docs/reports.md says"

    static let mostBeacons = 1000
    static let mostProblems = 50
    static let longestText = 300
    /// The longest period of a report, in seconds: two days.
    static let longestPeriod = 86_400.0 * 2

    /// Checks what the types cannot express. Texts and lists that are too long are shortened.
    func bounded() throws(StoreError) -> DeviceReport {
        var report = self
        func refuse(_ problem: String, _ field: String) -> StoreError {
            StoreError(.invalid, problem, remedy: Self.remedy, field: field)
        }
        let isName = host.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "/" }
        guard (1...253).contains(host.utf8.count), isName else { throw refuse("a host's name is needed", "host") }
        guard periodStart < periodEnd, periodEnd.time.seconds(since: periodStart.time) <= Self.longestPeriod else {
            throw refuse("the period has to end after it begins, within two days", "period_end")
        }
        guard missing >= 0 else { throw refuse("a number is negative", "missing") }
        guard revision.map((0...RevisionNumbers.highest).contains) ?? true else {
            throw refuse("there is no such revision", "revision")
        }
        for entry in dwell {
            guard entry.seconds >= 0, entry.seconds <= 10 * Self.longestPeriod, entry.visits >= 0,
                entry.visits < 1_000_000, (0...RevisionNumbers.highest).contains(entry.revision)
            else { throw refuse("a dwell time is out of range", "dwell") }
        }
        report.version = boundedText(version, to: Self.longestText)
        report.scanner = boundedText(scanner, to: 20)
        report.problems = problems.prefix(Self.mostProblems).map { boundedText($0, to: Self.longestText) }
        report.beacons = Array(beacons.prefix(Self.mostBeacons))
        report.dwell = Array(dwell.prefix(Self.mostBeacons))
        return report
    }
}
