/// What the device reports to the site about itself, and how often.
package struct DeviceReportSettings: Hashable, Sendable {
    /// Seconds from one report to the next.
    package var interval: Double
    /// What the device is called in reports.
    package var host: String
    /// A bearer token; nil for none.
    package var token: String?

    package init(interval: Double = 60, host: String = "", token: String? = nil) {
        self.interval = interval
        self.host = host
        self.token = token
    }
}
