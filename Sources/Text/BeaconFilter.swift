package import Beacon
package import Ranging

/// The beacons that the user asked for; all beacons if none is named.
package struct BeaconFilter: Sendable, Hashable {
    private let queries: [BeaconQuery]
    /// All of them as names, in lower case. A name may look like an identity.
    private let words: Set<String>

    package init(_ queries: [BeaconQuery] = []) {
        self.queries = queries
        words = Set(queries.map(\.word))
    }

    /// No beacon is named, so all are wanted.
    package var isEmpty: Bool { queries.isEmpty }

    /// The queries as they were written.
    package var texts: [String] { queries.map(\.description) }

    /// Whether the beacon with this identity and this name is wanted.
    package func contains(_ id: BeaconID, name: String?) -> Bool {
        guard !queries.isEmpty, !queries.contains(where: { $0.isIdentity(of: id) }) else { return true }
        return name.map { words.contains($0.lowercased()) } ?? false
    }

    /// Looks at each name once, which may take long if there are many.
    ///
    /// - Throws: a failure that lists the known names if a query is neither an identity nor a known name.
    package func requireNames(_ names: some Collection<String>) throws(BeaconQuery.Failure) {
        var unknown = Set(queries.lazy.filter { !$0.isIdentity }.map(\.word))
        for name in names {
            guard !unknown.isEmpty else { return }
            unknown.remove(name.lowercased())
        }
        for query in queries where !query.isIdentity && unknown.contains(query.word) {
            if let excess = query.excess { throw excess }
            guard !names.isEmpty else {
                throw .init("\(query): no names are known here", "write MAJOR.MINOR, UUID/MAJOR/MINOR, or a UUID")
            }
            let nearest = Suggestion.nearest(to: query.description, among: names)
            let meant = nearest.map { ": did you mean \(printable($0))?" } ?? ""
            let known = names.sorted().prefix(BeaconQuery.listed).map { "  \(printable($0))" }
            throw .init(
                "\(printable(query.description)): no beacon has this name\(meant)",
                "these are known:\n" + known.joined(separator: "\n"))
        }
    }

    /// - Throws: a failure that lists the known beacons if a query matches none of them.
    package func require(among ids: some Sequence<BeaconID>, names: [BeaconID: String]) throws(BeaconQuery.Failure) {
        for query in queries where !ids.contains(where: { query.matches($0, name: names[$0]) }) {
            throw query.unknown(among: ids.sorted(), names: names)
        }
    }

    /// A ranking of only the wanted beacons, ranked from 1. If the nearest of all beacons is not wanted, the first
    /// wanted one with a level is the nearest.
    package func ranking(_ ranking: Ranking, names: [BeaconID: String]) -> Ranking {
        guard !isEmpty else { return ranking }
        var beacons = ranking.beacons.filter { contains($0.id, name: names[$0.id]) }
        for index in beacons.indices { beacons[index].rank = index + 1 }
        let nearest = beacons.first { $0.id == ranking.nearest } ?? beacons.first { $0.filteredRSSI != nil }
        return Ranking(time: ranking.time, nearest: nearest?.id, beacons: beacons)
    }
}
