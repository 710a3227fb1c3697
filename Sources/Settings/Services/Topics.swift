package import Beacon

/// The topics below `PREFIX/HOST/`. MQTT 3.1.1, section 4.7.
package struct Topics: Hashable, Sendable {
    /// Without a slash at the end.
    package let base: String
    /// The host in the form used in topics and in identifiers of Home Assistant.
    package let host: String

    /// - Parameters:
    ///   - prefix: may have several levels.
    ///   - host: any text; characters that a level must not have are replaced.
    package init(prefix: String, host: String) {
        self.host = Self.level(host)
        base = Self.prefix(prefix) + "/" + self.host
    }

    /// The first levels of every topic, without a slash at the end.
    package static func prefix(_ text: String) -> String {
        text.split(separator: "/").map { level(String($0)) }.joined(separator: "/")
    }

    /// Whether a text can be the first levels of topics.
    package static func isPrefix(_ text: String) -> Bool {
        !text.isEmpty && !text.contains { "+#$ ".contains($0) } && !text.hasPrefix("/") && !text.hasSuffix("/")
    }

    /// `online` or `offline`; the broker itself publishes `offline` if this client is lost.
    package var status: String { base + "/status" }
    package var details: String { base + "/status/details" }
    package var nearest: String { base + "/nearest" }
    package var scanner: String { base + "/scanner" }
    package var content: String { base + "/content" }
    package var levels: String { base + "/levels" }
    package var report: String { base + "/report" }

    package func event(_ kind: String) -> String { base + "/events/" + Self.level(kind) }

    package func ranging(_ beacon: BeaconID) -> String { base + "/ranging/\(beacon)" }

    package func presence(_ beacon: BeaconID) -> String { base + "/presence/\(beacon)" }

    /// The beacon that a topic of presence is about; nil for others.
    package func presentBeacon(_ topic: String) -> BeaconID? {
        let start = base + "/presence/"
        return topic.hasPrefix(start) ? BeaconID(String(topic.dropFirst(start.count))) : nil
    }

    package func health(_ beacon: BeaconID) -> String { base + "/health/\(beacon)" }

    /// What this scanner says of its beacons each minute, for a fleet.
    package var healthReadings: String { base + "/health" }

    /// All topics of beacons, for a subscription.
    package var allRanging: String { base + "/ranging/+/+/+" }
    package var allHealth: String { base + "/health/+/+/+" }
    package var allPresence: String { base + "/presence/+/+/+" }

    /// One level of a topic from any text: characters with a meaning in topics, in Home Assistant's identifiers or on a
    /// terminal become underscores.
    package static func level(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(64).map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-": Character(scalar)
            default: Character("_")
            }
        }
        return scalars.isEmpty ? "_" : String(scalars)
    }
}
