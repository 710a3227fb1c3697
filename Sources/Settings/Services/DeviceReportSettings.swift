/// What the device reports to the site about itself, and how often.
package struct DeviceReportSettings: Hashable, Sendable {
    /// How reports get to the site.
    package enum Way: String, Hashable, Sendable, CaseIterable {
        case http
        case mqtt
    }

    /// Seconds from one report to the next.
    package var interval: Double
    /// What the device is called in reports.
    package var host: String
    /// A bearer token; nil for none.
    package var token: String?
    /// Where reports are published at the daemon's broker; nil if they are posted to the site.
    package var topic: String?

    package init(interval: Double = 60, host: String = "", token: String? = nil, topic: String? = nil) {
        self.interval = interval
        self.host = host
        self.token = token
        self.topic = topic
    }
}
