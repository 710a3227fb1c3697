package import Beacon
import Content
import SiteFormat
import Synchronization
import Text

/// The names of beacons: those from scenarios and single manifests, collected while the daemon runs, and those of the
/// site's list, which are valid as long as the list is.
///
/// Names come from outside and may contain anything: they are made printable, and their length and number are limited.
package final class Names: Sendable {
    private struct State {
        /// Collected names, and those of the list.
        var added: [BeaconID: String] = [:]
        var listed: [BeaconID: String] = [:]
        /// Both; names of the list take precedence.
        var all: [BeaconID: String] = [:]
    }

    private let names = Mutex(State())

    /// The maximum number of collected names, and of names in a list.
    package static let maximum = 65536

    package init() {}

    /// All known names.
    package var all: [BeaconID: String] { names.withLock { $0.all } }

    /// The name that people gave; nil if there is none.
    package func given(_ id: BeaconID) -> String? {
        names.withLock { $0.all[id] }
    }

    /// The name, or the identity if there is none.
    package subscript(id: BeaconID) -> String {
        names.withLock { $0.all[id] } ?? "\(id.uuid.uppercased) \(id.major).\(id.minor)"
    }

    /// The same for content, where nil means "no beacon is near".
    package subscript(content id: BeaconID?) -> String {
        guard let id else { return "uncategorized" }
        return self[id]
    }

    /// The same for a manifest, which may be about several beacons.
    subscript(scope: ContentScope) -> String {
        scope.beacon.map { self[$0] } ?? scope.description
    }

    /// Collects names. Beyond `maximum`, new ones are ignored.
    package func add(_ new: [BeaconID: String]) {
        let new = new.mapValues(Self.shown)
        names.withLock { names in
            for (id, name) in new where names.added[id] != nil || names.added.count < Self.maximum {
                names.added[id] = name
                names.all[id] = names.listed[id] ?? name
            }
        }
    }

    /// Replaces the names of the previous list with those of a new one.
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
