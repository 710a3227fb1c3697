package import Beacon

/// The topics below `PREFIX/HOST/`. MQTT 3.1.1, section 4.7.
package struct Topics: Hashable, Sendable {
    /// Without a slash at its end.
    package let base: String
    /// The host as it stands in topics and in identifiers of Home Assistant.
    package let host: String

    /// - Parameters:
    ///   - prefix: may have several levels.
    ///   - host: any text; what a level must not have is replaced.
    package init(prefix: String, host: String) {
        self.host = Self.level(host)
        base = prefix.split(separator: "/").map { Self.level(String($0)) }.joined(separator: "/") + "/" + self.host
    }

    /// `online` or `offline`; the broker itself says `offline` when this client is lost.
    package var status: String { base + "/status" }
    package var details: String { base + "/status/details" }
    package var nearest: String { base + "/nearest" }
    package var scanner: String { base + "/scanner" }
    package var content: String { base + "/content" }

    package func event(_ kind: String) -> String { base + "/events/" + Self.level(kind) }

    package func ranging(_ beacon: BeaconID) -> String { base + "/ranging/" + Self.path(beacon) }

    package func presence(_ beacon: BeaconID) -> String { base + "/presence/" + Self.path(beacon) }

    /// All topics of beacons, for a subscription.
    package var allRanging: String { base + "/ranging/+/+/+" }
    package var allPresence: String { base + "/presence/+/+/+" }

    private static func path(_ beacon: BeaconID) -> String { "\(beacon.uuid)/\(beacon.major)/\(beacon.minor)" }

    /// One level of a topic from any text: what has a meaning in topics, in Home Assistant's identifiers or to a
    /// terminal becomes an underscore.
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
