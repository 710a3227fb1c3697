import SiteFormat

/// What a store has learned about its visitors. It is a file beside the content, and replaced as a whole.
package struct Learned: Sendable, Codable {
    var transitions = Transitions()
    /// When content was last needed, in seconds since 1970, by its scope.
    package private(set) var needed: [String: Int64] = [:]

    package init() {}

    private static let maximumNeeded = 65536

    mutating func need(_ scope: ContentScope, at seconds: Int64) {
        let name = scope.description
        needed[name] = seconds
        if needed.count > Self.maximumNeeded { needed.removeOldest(besides: name, by: \.self) }
    }

    /// With another list: forgets what has no content any more, or never had any. What counts for the same manifest
    /// becomes one.
    mutating func join(_ current: (ContentScope) -> ContentScope?) {
        transitions.join(current)
        needed = Dictionary(uniqueKeysWithValues: lastNeeded(current).map { ($0.key.description, $0.value) })
    }

    /// When each manifest was last needed.
    ///
    /// - Parameter current: the manifest that counts for a scope now; nil if there is none.
    func lastNeeded(_ current: (ContentScope) -> ContentScope?) -> [ContentScope: Int64] {
        var result: [ContentScope: Int64] = [:]
        for (text, seconds) in needed {
            guard let scope = ContentScope(text).flatMap(current) else { continue }
            result[scope] = max(result[scope] ?? 0, seconds)
        }
        return result
    }
}
