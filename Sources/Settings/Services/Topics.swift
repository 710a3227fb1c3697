package import Beacon
import Text

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

    /// The first levels of every topic as they are given, without empty ones.
    package static func prefix(_ text: String) -> String {
        text.split(separator: "/").joined(separator: "/")
    }

    /// Whether a text can be the first levels of topics: a longer one leaves too little for the others.
    package static func isPrefix(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 1024 && !text.hasPrefix("/") && !text.hasSuffix("/")
            && text.unicodeScalars.allSatisfy { !"+#$".unicodeScalars.contains($0) && isShown($0) }
    }

    /// Neither a space nor a character that is not seen.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .surrogate, .unassigned: false
        default: true
        }
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

    /// - Parameter name: of the region.
    package func region(_ name: String) -> String { base + "/regions/" + Self.distinctLevel(name) }

    /// What this scanner says of its beacons each minute, for a fleet.
    package var healthReadings: String { base + "/health" }

    /// All topics of beacons, for a subscription.
    package var allRanging: String { base + "/ranging/+/+/+" }
    package var allHealth: String { base + "/health/+/+/+" }
    package var allPresence: String { base + "/presence/+/+/+" }
    /// All topics of regions.
    package var allRegions: String { base + "/regions/+" }

    /// Characters of a level, at most.
    private static let longestLevel = 64

    /// One level of a topic from any text: characters with a meaning in topics, in Home Assistant's identifiers or on a
    /// terminal become underscores. A text that is long or not ASCII ends with its digest, for two names in Arabic
    /// would otherwise be one level.
    package static func level(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(longestLevel).map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-": Character(scalar)
            default: Character("_")
            }
        }
        guard scalars.count < text.unicodeScalars.count || !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return scalars.isEmpty ? "_" : String(scalars)
        }
        return withDigest(String(scalars), of: text)
    }

    /// The same for names that must not share a level: one that is not kept as it is ends with its digest in any case.
    package static func distinctLevel(_ text: String) -> String {
        let level = level(text)
        return level == text || level.hasSuffix(digest(of: text)) ? level : withDigest(level, of: text)
    }

    private static func withDigest(_ level: String, of text: String) -> String {
        let digest = digest(of: text)
        return String(level.prefix(longestLevel - digest.count)) + digest
    }

    private static func digest(of text: String) -> String { "-" + shortDigest(text.utf8) }
}
