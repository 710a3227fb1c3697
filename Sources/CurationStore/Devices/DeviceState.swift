import Beacon
package import Curation

/// A device that has reported, with its newest report.
package struct Device: Hashable, Sendable {
    package var host: String
    package var firstAt: Moment
    /// When the newest report came, by the server's clock.
    package var reportedAt: Moment
    package var report: DeviceReport

    package init(host: String, firstAt: Moment, reportedAt: Moment, report: DeviceReport) {
        self.host = host
        self.firstAt = firstAt
        self.reportedAt = reportedAt
        self.report = report
    }

    /// How it is at an instant.
    ///
    /// - Parameter revision: the current one; nil if nothing is published.
    package func state(_ revision: Int64?, at now: Moment) -> DeviceState {
        let silence = now.time.seconds(since: reportedAt.time)
        // Half a period more: reports are late by what they take.
        if silence > (Double(DeviceState.missedReports) + 0.5) * report.period { return .silent }
        guard let revision else { return .fresh }
        if (report.revision ?? 0) < revision { return .lagging }
        if (report.revision ?? 0) > revision { return .ahead }
        return report.isComplete ? .fresh : .incomplete
    }
}

package enum DeviceState: String, Hashable, Sendable, Codable, CaseIterable {
    /// It holds the current revision.
    case fresh
    /// It fetches the current revision.
    case incomplete
    /// It holds an older revision, or none.
    case lagging
    /// It holds a later revision than the current one, and refuses that: an old backup was restored.
    case ahead
    /// Three reports are missing.
    case silent

    package static let missedReports = 3
}
