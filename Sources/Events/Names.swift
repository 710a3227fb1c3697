package import Beacon
import Content
import Synchronization
import Text

/// What people call beacons: names from scenarios and single manifests, which are collected while the daemon runs, and
/// those of the site's list, which count as long as the list does.
///
/// Names come from outside and may hold anything: they are made printable, and length and number are bounded.
package final class Names: Sendable {
    private struct State {
        /// Those that were added, and those of the list.
        var added: [BeaconID: String] = [:]
        var listed: [BeaconID: String] = [:]
        /// Both; the list's count first.
        var all: [BeaconID: String] = [:]
    }

    private let names = Mutex(State())

    /// The most that are collected, and the most that a list may give.
    package static let maximum = 65536

    package init() {}

    /// All known names.
    package var all: [BeaconID: String] { names.withLock { $0.all } }

    /// The name that people gave; nil where there is none.
    package func given(_ id: BeaconID) -> String? {
        names.withLock { $0.all[id] }
    }

    /// The name, or the identity where there is none.
    package subscript(id: BeaconID) -> String {
        names.withLock { $0.all[id] } ?? "\(id.uuid.uppercased) \(id.major).\(id.minor)"
    }

    /// The same for content, where nil stands for "no beacon is near".
    package subscript(content id: BeaconID?) -> String {
        guard let id else { return "uncategorized" }
        return self[id]
    }

    /// The same for a manifest, which may be about more than one beacon.
    subscript(scope: ContentScope) -> String {
        scope.beacon.map { self[$0] } ?? scope.description
    }

    /// Collects names. Beyond `maximum`, new ones are not taken.
    package func add(_ new: [BeaconID: String]) {
        let new = new.mapValues(Self.shown)
        names.withLock { names in
            for (id, name) in new where names.added[id] != nil || names.added.count < Self.maximum {
                names.added[id] = name
                names.all[id] = names.listed[id] ?? name
            }
        }
    }

    /// Takes the names of a list in place of those of the one before.
    package func replaceListed(with new: [BeaconID: String]) {
        let new = Dictionary(
            uniqueKeysWithValues: new.prefix(Self.maximum).map { ($0.key, Self.shown($0.value)) })
        names.withLock { names in
            names.listed = new
            names.all = names.added.merging(new) { $1 }
        }
    }

    private static func shown(_ name: String) -> String {
        let text = printable(boundedName(name)).drop(while: \.isWhitespace)
        return String(text[..<(text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex)])
    }
}
