package import Beacon

/// The topics of the fleet below a prefix, which all its scanners share.
package struct FleetTopics: Hashable, Sendable {
    /// Without a slash at the end.
    package let prefix: String

    package init(prefix: String) {
        self.prefix = prefix
    }

    package enum Message: Hashable, Sendable {
        case levels(host: String)
        case scanner(host: String)
        /// `online` or `offline`.
        case status(host: String)
        case room
        case antennas
        /// `answering`, `learning` or `offline`.
        case resolver(name: String)
    }

    package static let answering = "answering"
    package static let learning = "learning"

    /// What a resolver wants to know.
    package var subscriptions: [String] {
        ["+/levels", "+/scanner", "+/status", "rooms/+/+/+", "fleet/antennas", "fleet/resolvers/+"].map { "\(prefix)/\($0)" }
    }

    package var antennas: String { "\(prefix)/fleet/antennas" }

    package func room(_ beacon: BeaconID) -> String { "\(prefix)/rooms/\(beacon)" }

    package func resolver(_ name: String) -> String { "\(prefix)/fleet/resolvers/\(name)" }

    /// What a message is, by its topic; nil for others.
    package func message(_ topic: String) -> Message? {
        guard topic.hasPrefix(prefix + "/") else { return nil }
        let levels = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        switch (levels.count, levels.first, levels.last) {
        case (4, "rooms", _): return .room
        case (2, "fleet", "antennas"): return .antennas
        case (3, "fleet", let name?) where levels[1] == "resolvers": return .resolver(name: String(name))
        case (2, let host?, "levels"): return .levels(host: String(host))
        case (2, let host?, "scanner"): return .scanner(host: String(host))
        case (2, let host?, "status"): return .status(host: String(host))
        default: return nil
        }
    }
}
