import CurationStore
import Platform

/// Takes reports of devices, however they come.
struct ReportIntake: Sendable {
    /// Bytes of a report.
    static let largest = 1 << 20

    private let services: CuratorServices

    init(_ services: CuratorServices) {
        self.services = services
    }

    /// Reads, checks and stores a report. One that was taken already changes nothing.
    ///
    /// - Parameters:
    ///   - host: the device that sent it; nil if nobody but the report says so.
    ///   - isLast: it is stored also where too many came in this minute, because nobody will send it again.
    /// - Throws: `invalid`, `limit`, `tooOften`, or that the database cannot be used.
    func take(_ json: [UInt8], from host: String? = nil, isLast: Bool = false) async throws(StoreError) {
        let report = try await JSONBody.reading.run { _ throws(StoreError) in try DeviceReport(json: json) }
        if let host, host != report.host {
            throw StoreError(
                .invalid, "the report is of another device than its topic", remedy: "set mqtt.host on the device",
                field: "host")
        }
        // Over MQTT, `ReportJudge` limits each device. A refusal here would stop the reports of all.
        try await services.store.noteReport(
            report, at: services.now(), isLimited: !isLast, ofDevice: host == nil)
    }
}
