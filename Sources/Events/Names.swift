package import Beacon
import Content
import SiteFormat
import Synchronization
import Text

/// The names of beacons. Names from the configuration take precedence, then names from the site's list, which are
/// valid as long as that list is. The rest comes from scenarios and from single manifests, stored or just received.
///
/// Names come from outside and may contain anything: they are made printable, and their length and number are limited.
package final class Names: Sendable {
    private struct State {
        /// Collected names, and names from the site's list.
        var added: [BeaconID: String] = [:]
        var listed: [BeaconID: String] = [:]
        /// Names from the configuration.
        var known = KnownBeacons()
        /// For each name without a UUID, by its key: the received beacons that it applies to.
        var met: [BeaconKey: Set<BeaconID>] = [:]
        /// All of these names together.
        var all: [BeaconID: String] = [:]

        mutating func join() {
            all = known.names(over: added.merging(listed) { $1 }, of: met.values.joined())
        }
    }

    private let names = Mutex(State())

    /// The maximum number of collected names, and of names in a list.
    package static let maximum = 65536
    /// The maximum number of UUIDs that are remembered for a name without one, because there may be any number of
    /// forged ones.
    private static let mostUUIDs = 8

    package init() {}

    /// All known names.
    package var all: [BeaconID: String] { names.withLock { $0.all } }

    /// Every name, including names from the configuration whose beacons were not received yet.
    package var everyName: Set<String> {
        names.withLock { Set($0.all.values).union($0.known.givenNames) }
    }

    /// The names from the configuration alone.
    package var configured: KnownBeacons { names.withLock { $0.known } }

    /// The name that people gave; nil if there is none.
    package func given(_ id: BeaconID) -> String? {
        names.withLock { $0.all[id] ?? $0.known.name(of: id) }
    }

    /// The name, or the identity if there is none.
    package subscript(id: BeaconID) -> String {
        given(id) ?? "\(id.uuid.uppercased) \(id.major).\(id.minor)"
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
                names.all[id] = names.known.name(of: id) ?? names.listed[id] ?? name
            }
        }
    }

    /// Replaces the names of the previous list with those of a new one.
    package func replaceListed(with new: [BeaconID: String]) {
        let new = Dictionary(
            uniqueKeysWithValues: new.prefix(Self.maximum).map { ($0.key, Self.shown($0.value)) })
        names.withLock { names in
            names.listed = new
            names.join()
        }
    }

    /// Replaces the names of the previous configuration with those of a new one.
    package func configure(_ known: KnownBeacons) {
        let known = KnownBeacons(
            known.entries.mapValues { .init(name: $0.name.map(Self.shown), isExpected: $0.isExpected) })
        names.withLock { names in
            names.known = known
            names.met = names.met.filter { known[$0.key]?.name != nil }
            names.join()
        }
    }

    /// Notes that beacons were received: a name without a UUID now applies to them.
    package func meet(_ ids: some Sequence<BeaconID>) {
        names.withLock { names in
            guard !names.known.isEmpty else { return }
            for id in ids where names.all[id] == nil {
                guard let name = names.known.name(of: id) else { continue }
                let key = BeaconKey(id).pair
                guard names.met[key, default: []].count < Self.mostUUIDs else { continue }
                names.met[key, default: []].insert(id)
                names.all[id] = name
            }
        }
    }

    private static func shown(_ name: String) -> String {
        let text = printable(boundedName(name)).drop(while: \.isWhitespace)
        return String(text[..<(text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex)])
    }
}
