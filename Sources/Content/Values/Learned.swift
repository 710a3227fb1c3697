internal import Beacon
import SiteFormat

/// What a store has learned about its visitors. It is a file beside the content, and replaced as a whole.
package struct Learned: Sendable, Codable {
    var transitions = Transitions()
    /// When content was last needed, in seconds since 1970, by beacon.
    package private(set) var needed: [String: Int64] = [:]

    package init() {}

    private static let maximumNeeded = 65536
    /// The name of the content for no beacon.
    private static let none = "uncategorized"

    mutating func need(_ beacon: BeaconID?, at seconds: Int64) {
        let name = beacon?.description ?? Self.none
        needed[name] = seconds
        if needed.count > Self.maximumNeeded { needed.removeOldest(besides: name, by: \.self) }
    }

    /// Forgets beacons that have no content any more, or never had any.
    mutating func forget(where isUnknown: (BeaconID?) -> Bool) {
        needed = needed.filter { text, _ in
            let beacon = BeaconID(text)
            return beacon == nil && text != Self.none || !isUnknown(beacon)
        }
    }

    /// When each manifest was last needed. For a beacon, this counts for its most specific manifest.
    func lastNeeded(_ scope: (BeaconID?) -> ContentScope?) -> [ContentScope: Int64] {
        var result: [ContentScope: Int64] = [:]
        for (text, seconds) in needed {
            let beacon = BeaconID(text)
            guard beacon != nil || text == Self.none, let scope = scope(beacon) else { continue }
            result[scope] = max(result[scope] ?? 0, seconds)
        }
        return result
    }
}
