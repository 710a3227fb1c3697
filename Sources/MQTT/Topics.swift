public import Beacon

/// The topics below `PREFIX/HOST/`. MQTT 3.1.1, section 4.7.
public struct Topics: Hashable, Sendable {
    /// Without a slash at its end.
    public let base: String
    /// The host as it stands in topics and in identifiers of Home Assistant.
    public let host: String

    /// - Parameters:
    ///   - prefix: may have several levels.
    ///   - host: any text; what a level must not have is replaced.
    public init(prefix: String, host: String) {
        self.host = Self.level(host)
        base = prefix.split(separator: "/").map { Self.level(String($0)) }.joined(separator: "/") + "/" + self.host
    }

    /// `online` or `offline`; the broker itself says `offline` when this client is lost.
    public var status: String { base + "/status" }
    public var details: String { base + "/status/details" }
    public var nearest: String { base + "/nearest" }
    public var scanner: String { base + "/scanner" }
    public var content: String { base + "/content" }

    public func event(_ kind: String) -> String { base + "/events/" + Self.level(kind) }

    public func ranging(_ beacon: BeaconID) -> String { base + "/ranging/" + Self.path(beacon) }

    public func presence(_ beacon: BeaconID) -> String { base + "/presence/" + Self.path(beacon) }

    /// All topics of beacons, for a subscription.
    public var allRanging: String { base + "/ranging/+/+/+" }
    public var allPresence: String { base + "/presence/+/+/+" }

    private static func path(_ beacon: BeaconID) -> String { "\(beacon.uuid)/\(beacon.major)/\(beacon.minor)" }

    /// One level of a topic from any text: what has a meaning in topics, in Home Assistant's identifiers or to a
    /// terminal becomes an underscore.
    public static func level(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(64).map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-": Character(scalar)
            default: Character("_")
            }
        }
        return scalars.isEmpty ? "_" : String(scalars)
    }
}
