/// What the configuration says about beacons: their names, and which of them are expected.
package struct KnownBeacons: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// Nil if the entry only says that the beacon is expected.
        package var name: String?
        /// The beacon should be here.
        package var isExpected: Bool

        package init(name: String?, isExpected: Bool = false) {
            self.name = name
            self.isExpected = isExpected
        }
    }

    package private(set) var entries: [BeaconKey: Entry]

    package init(_ entries: [BeaconKey: Entry] = [:]) {
        self.entries = entries
    }

    package init(names: [BeaconID: String]) {
        self.init(Dictionary(names.map { (BeaconKey($0), Entry(name: $1)) }) { first, _ in first })
    }

    package subscript(key: BeaconKey) -> Entry? {
        get { entries[key] }
        set { entries[key] = newValue }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// Every name.
    package var givenNames: [String] { entries.values.compactMap(\.name) }

    /// The name of a beacon: the one for its exact identity or, failing that, the one for its numbers under any UUID.
    package func name(of id: BeaconID) -> String? {
        guard !entries.isEmpty else { return nil }
        let key = BeaconKey(id)
        return entries[key]?.name ?? entries[key.pair]?.name
    }

    /// Beacons that should be here, in the order of their keys. A key without a UUID is satisfied by any beacon with
    /// its numbers.
    package var expected: [BeaconKey] {
        entries.filter(\.value.isExpected).keys.sorted()
    }

    /// The expected beacons alone, without names.
    package var onlyExpected: KnownBeacons {
        KnownBeacons(entries.filter(\.value.isExpected).mapValues { _ in Entry(name: nil, isExpected: true) })
    }

    package func isExpected(_ id: BeaconID) -> Bool {
        guard !entries.isEmpty else { return false }
        let key = BeaconKey(id)
        return [key, key.pair].contains { entries[$0]?.isExpected == true }
    }

    /// `names` together with the names from here, which take precedence.
    ///
    /// - Parameter ids: further beacons that may have names.
    package func names(over names: [BeaconID: String], of ids: some Sequence<BeaconID> = []) -> [BeaconID: String] {
        guard !entries.isEmpty else { return names }
        var all = names
        for (key, entry) in entries { if let id = key.id, let name = entry.name { all[id] = name } }
        for id in names.keys { if let name = name(of: id) { all[id] = name } }
        for id in ids { if let name = name(of: id) { all[id] = name } }
        return all
    }
}
