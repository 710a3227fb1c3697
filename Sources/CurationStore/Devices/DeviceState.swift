import Beacon
package import Curation

/// A device that has reported, with its newest report.
package struct Device: Hashable, Sendable {
    package var host: String
    package var firstAt: Moment
    /// When the newest report arrived, by the server's clock.
    package var reportedAt: Moment
    /// In a list of devices without what it receives, and without dwell times.
    package var report: DeviceReport
    /// How many beacons it receives.
    package var heard: Int

    package init(host: String, firstAt: Moment, reportedAt: Moment, report: DeviceReport, heard: Int? = nil) {
        self.host = host
        self.firstAt = firstAt
        self.reportedAt = reportedAt
        self.report = report
        self.heard = heard ?? report.beacons.count
    }

    /// The state of the device at an instant.
    ///
    /// - Parameter revision: the current revision; nil if nothing is published.
    package func state(_ revision: Int64?, at now: Moment) -> DeviceState {
        let silence = now.time.seconds(since: reportedAt.time)
        // Half a period is added, because reports take some time to arrive.
        if silence > (Double(DeviceState.missedReports) + 0.5) * report.period { return .silent }
        guard let revision else { return .fresh }
        if (report.revision ?? 0) < revision { return .lagging }
        if (report.revision ?? 0) > revision { return .ahead }
        return report.isComplete ? .fresh : .incomplete
    }
}

/// What a device receives, by its newest report.
package struct DeviceHearing: Hashable, Sendable {
    package var host: String
    /// When that report arrived, by the server's clock.
    package var reportedAt: Moment
    package var beacons: [DeviceReport.Heard]
}

package enum DeviceState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The device has the current revision.
    case fresh
    /// The device has the current revision, but not all of its content yet.
    case incomplete
    /// The device has an older revision, or none.
    case lagging
    /// The device has a later revision than the current one, and refuses the current one. This happens after an old
    /// backup was restored.
    case ahead
    /// Three reports are missing.
    case silent

    package static let missedReports = 3
}
