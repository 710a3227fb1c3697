package import SiteFormat
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// From which manifest visitors walk to which: from exhibit to exhibit, or from room to room where the beacons of a
/// room share one. The counts fade, so that they adapt when a museum is rearranged.
package struct Transitions: Hashable, Sendable {
    /// Seconds after which a count has half its weight: two weeks.
    package static let halfLife: Double = 14 * 86400
    /// The most manifests from which transitions are kept, and the most targets of each. The oldest and the weakest are
    /// removed.
    package static let maximumOrigins = 4096
    package static let maximumTargets = 16

    package struct Origin: Hashable, Sendable {
        /// The time that the weights refer to, in seconds since 1970.
        package var updated: Double
        package var weights: [ContentScope: Double]

        /// The strongest first, and of equals the lower scope.
        fileprivate var ranked: [(key: ContentScope, value: Double)] {
            weights.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        }

        fileprivate mutating func fade(to seconds: Double) {
            // A clock that was set back must not make old counts grow.
            let fading = exp2(-max(seconds - updated, 0) / Transitions.halfLife)
            weights = weights.mapValues { $0 * fading }.filter { $0.value > 0.01 }
            updated = seconds
        }

        fileprivate mutating func add(_ weight: Double, to scope: ContentScope) {
            weights[scope, default: 0] += weight
            guard weights.count > Transitions.maximumTargets, let weakest = ranked.last else { return }
            weights[weakest.key] = nil
        }
    }

    package private(set) var origins: [ContentScope: Origin] = [:]

    package init() {}

    /// Records that somebody walked from one to another.
    ///
    /// - Parameter seconds: since 1970.
    package mutating func record(from: ContentScope, to: ContentScope, at seconds: Double) {
        guard from != to else { return }
        var origin = origins[from] ?? Origin(updated: seconds, weights: [:])
        origin.fade(to: seconds)
        origin.add(1, to: to)
        origins[from] = origin
        if origins.count > Self.maximumOrigins { origins.removeOldest(besides: from, by: \.updated) }
    }

    /// The manifests that visitors most likely need next, likeliest first.
    package func likely(after scope: ContentScope, limit: Int) -> [ContentScope] {
        (origins[scope]?.ranked ?? []).prefix(limit).map(\.key)
    }

    /// With another list, what counts for the same manifest becomes one, and what has none is forgotten.
    ///
    /// - Parameter current: the manifest that counts for a scope now; nil if there is none.
    package mutating func join(_ current: (ContentScope) -> ContentScope?) {
        let former = origins
        origins = [:]
        for (scope, origin) in former.sorted(by: { $0.key < $1.key }) {
            guard let from = current(scope) else { continue }
            var (joined, other) = (origins[from] ?? Origin(updated: origin.updated, weights: [:]), origin)
            joined.fade(to: max(joined.updated, origin.updated))
            other.fade(to: joined.updated)
            for (goal, weight) in other.ranked {
                if let to = current(goal), to != from { joined.add(weight, to: to) }
            }
            origins[from] = joined
        }
    }
}

extension Transitions: Codable {
    private struct Line: Codable {
        var from: String
        var updated: Double
        var to: [String: Double]
    }

    package init(from decoder: any Decoder) throws {
        for line in try decoder.singleValueContainer().decode([Line].self).prefix(Self.maximumOrigins) {
            guard let from = ContentScope(line.from), line.updated.isFinite else { continue }
            var origin = Origin(updated: line.updated, weights: [:])
            for (text, weight) in line.to.prefix(Self.maximumTargets) where weight.isFinite && weight > 0 {
                if let to = ContentScope(text) { origin.weights[to] = weight }
            }
            origins[from] = origin
        }
    }

    package func encode(to encoder: any Encoder) throws {
        let lines = origins.sorted { $0.key < $1.key }.map { from, origin in
            Line(
                from: from.description, updated: origin.updated,
                to: Dictionary(origin.weights.map { ($0.key.description, $0.value) }, uniquingKeysWith: { $1 }))
        }
        var container = encoder.singleValueContainer()
        try container.encode(lines)
    }
}
