// What a device reports, and how. What is wrong is noted.
extension SettingsReader {
    /// Nil where nothing is reported, or where something is wrong, which is then noted.
    ///
    /// - Parameter mqtt: the daemon's broker; nil for none.
    package mutating func deviceReportSettings(mqtt: MQTTSettings?) -> DeviceReportSettings? {
        let token = secret(\.reports.tokenFile, credential: "reports-token")
        guard values.reports.isOn else { return nil }
        if values.content.baseURL == nil {
            complain(
                \.reports.isOn, "reports go to the content site, and none is configured",
                remedy: "set content.base_url, or reports.enabled to false")
        }
        var settings = DeviceReportSettings(interval: values.reports.interval)
        switch values.reports.way {
        case .http:
            settings.host = values.reports.host ?? Self.machineName
            settings.token = token
            checkHost(settings.host)
            if let token, !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
                complain(\.reports.tokenFile, "a token is made of letters, digits and signs")
            }
        case .mqtt:
            if values.mqtt.url == nil {
                complain(
                    \.reports.way.word, "no broker is configured", remedy: "set mqtt.url, or reports.via to http")
            }
            // A broker that is wrong has been noted already.
            guard let mqtt else { return nil }
            let topics = Topics(prefix: mqtt.topicPrefix, host: mqtt.host)
            settings.host = topics.host
            settings.topic = topics.report
            if let host = values.reports.host, host != topics.host {
                complain(
                    \.reports.host,
                    "\"\(host.prefix(60))\" is not the device's name at the broker, which is \(topics.host)",
                    remedy: "leave reports.host out, and set mqtt.host if the name is wrong")
            }
        }
        return settings
    }

    private mutating func checkHost(_ host: String) {
        let isGood = !host.isEmpty && host.utf8.count <= 128 && host.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard !isGood else { return }
        complain(
            \.reports.host, "\"\(host.prefix(60))\" is no name of a device: up to 128 letters, digits and signs",
            remedy: "set reports.host, as in reports: {host: hall-3}")
    }
}
