import Settings

/// The topics on which devices report: `PREFIX/HOST/report`.
package struct ReportTopics: Hashable, Sendable {
    private let prefix: String

    package init(prefix: String) {
        self.prefix = Topics.prefix(prefix)
    }

    /// All of them, for a subscription. MQTT 3.1.1, section 4.7.1.3.
    package var pattern: String { prefix + "/+/report" }

    /// The device of a topic; nil if it is none of them.
    package func host(of topic: String) -> String? {
        guard topic.hasPrefix(prefix + "/"), topic.hasSuffix("/report") else { return nil }
        let host = String(topic.dropFirst(prefix.count + 1).dropLast("/report".count))
        return Topics(prefix: prefix, host: host).report == topic ? host : nil
    }
}
