internal import Beacon
import SiteFormat

/// What a store has learned about its visitors. It is a file beside the content, and replaced as a whole.
package struct Learned: Sendable, Codable {
    var transitions = Transitions()
    /// When content was last needed, in seconds since 1970, by beacon.
    private(set) var needed: [String: Int64] = [:]

    package init() {}

    private static let maximumNeeded = 65536

    mutating func need(_ beacon: BeaconID?, at seconds: Int64) {
        let name = beacon?.description ?? "uncategorized"
        needed[name] = seconds
        if needed.count > Self.maximumNeeded { needed.removeOldest(besides: name, by: \.self) }
    }

    /// When each manifest was last needed. For a beacon, this counts for its most specific manifest.
    func lastNeeded(_ scope: (BeaconID?) -> ContentScope?) -> [ContentScope: Int64] {
        var result: [ContentScope: Int64] = [:]
        for (text, seconds) in needed {
            let beacon = BeaconID(text)
            guard beacon != nil || text == "uncategorized", let scope = scope(beacon) else { continue }
            result[scope] = max(result[scope] ?? 0, seconds)
        }
        return result
    }
}
