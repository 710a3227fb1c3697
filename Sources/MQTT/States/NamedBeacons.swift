package import Beacon

/// Chooses the beacons with names that are published, because a site's list may name 65,536. A plain value.
///
/// Beacons with a name from the configuration come first, then those that were received, then the others in the order
/// of their identities. A beacon that was received keeps its place after it has left.
package struct NamedBeacons: Sendable {
    /// The maximum number of published beacons with names. Home Assistant has three entities for each.
    package static let most = 1024

    /// The chosen beacons, with their names.
    package private(set) var chosen: [BeaconID: String] = [:]
    private var names: [BeaconID: String] = [:]
    /// In the order of identities, if there are too many: those with a name from the configuration, and all.
    private var configured: [BeaconID] = []
    private var ordered: [BeaconID] = []
    /// Beacons that were received. At most as many as can be chosen.
    private var received: Set<BeaconID> = []

    package init() {}

    /// Whether there are more names than are published.
    package var hasLeftOut: Bool { names.count > Self.most }

    /// - Parameters:
    ///   - all: all names. It costs nothing to compare the same dictionary again.
    ///   - known: the names from the configuration.
    ///   - present: the beacons that are received now.
    package mutating func update(_ all: [BeaconID: String], _ known: KnownBeacons, present: Set<BeaconID>) {
        let isNew = all != names
        if isNew {
            names = all
            received = received.filter { all[$0] != nil }
            ordered = hasLeftOut ? all.keys.sorted() : []
            configured = ordered.filter { known.name(of: $0) != nil }
        }
        var needsPlace = false
        for id in present where received.count < Self.most && all[id] != nil {
            if received.insert(id).inserted, chosen[id] == nil { needsPlace = true }
        }
        if isNew || needsPlace { choose() }
    }

    private mutating func choose() {
        chosen = hasLeftOut ? [:] : names
        guard hasLeftOut else { return }
        for group in [configured, received.sorted(), ordered] {
            for id in group {
                guard chosen.count < Self.most else { return }
                chosen[id] = names[id]
            }
        }
    }
}
