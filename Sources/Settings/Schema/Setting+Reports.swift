// What the device reports to the content site.
extension Setting {
    static let reports: [Setting] = [
        Setting(
            "reports.enabled", .flag(\.reports.isOn), .restarts(["reports"]),
            "report to the content site which content is held, which beacons are received, and how long "
                + "visitors stay ([reports](reports.md)). Nothing is sent unless the site requests it in its list, "
                + "and nothing about persons"),
        Setting(
            "reports.via", .choice(DeviceReportSettings.Way.allCases.map(\.rawValue), \.reports.way.word),
            .restarts(["reports"]),
            "`http` posts reports to the site; `mqtt` publishes them to the broker of `mqtt.url`, from which the "
                + "content server takes them ([reports](reports.md#over-mqtt))"),
        Setting(
            "reports.interval_s", .number(10...3600, \.reports.interval), .restarts(["reports"]),
            "seconds from one report to the next"),
        Setting(
            "reports.token_file", .file(\.reports.tokenFile), .restarts(["reports"]),
            "a file that holds the bearer token with which reports are sent; without it, the credential "
                + "`reports-token` that systemd hands over"),
        Setting(
            "reports.host", .text(\.reports.host), .restarts(["reports"]),
            unset: "the machine's name up to the first dot",
            "this device's name in reports; no two devices of a site may have the same. Over MQTT it is `mqtt.host`"),
    ]
}
