package import Beacon

/// Short labels for beacons that are shown together: a name, or the part of the identity that differs.
package struct BeaconLabels: Sendable {
    /// The UUID that all beacons have, which need be shown only once; nil if they have several.
    package let sharedUUID: ProximityUUID?
    private let names: [BeaconID: String]
    /// Names that more than one beacon has.
    private let ambiguous: Set<String>
    private let shortUUIDs: [ProximityUUID: String]

    /// - Parameters:
    ///   - ids: the beacons that are shown together.
    ///   - mark: replaces the omitted part of a UUID.
    package init(_ ids: some Sequence<BeaconID>, names: [BeaconID: String], mark: String = "…") {
        let ids = Array(ids)
        let uuids = Set(ids.map(\.uuid))
        sharedUUID = uuids.count == 1 ? uuids.first : nil
        var given: [BeaconID: String] = [:]
        var counts: [String: Int] = [:]
        for id in ids {
            guard let name = names[id].map(printable), !name.isEmpty, given.updateValue(name, forKey: id) == nil
            else { continue }
            counts[name, default: 0] += 1
        }
        self.names = given
        ambiguous = Set(counts.filter { $0.value > 1 }.keys)
        shortUUIDs = uuids.count > 1 ? Self.shortened(uuids, mark) : [:]
    }

    /// The name, or the identity without the part that all beacons share.
    package func full(_ id: BeaconID) -> String {
        label(id, sharedUUID == nil ? "\(id.uuid.uppercased) \(Self.pair(id))" : Self.pair(id))
    }

    /// The same, with only as much of the UUID as distinguishes it from the others.
    package func short(_ id: BeaconID) -> String {
        label(id, shortUUIDs[id.uuid].map { "\($0) \(Self.pair(id))" } ?? Self.pair(id))
    }

    private func label(_ id: BeaconID, _ identity: String) -> String {
        guard let name = names[id] else { return identity }
        return ambiguous.contains(name) ? "\(name) \(identity)" : name
    }

    private static func pair(_ id: BeaconID) -> String { "\(id.major).\(id.minor)" }

    /// The first eight digits or, if those are equal, as many as needed from the first difference on.
    private static func shortened(_ uuids: Set<ProximityUUID>, _ mark: String) -> [ProximityUUID: String] {
        let texts = uuids.map { ($0, Array($0.uppercased)) }
        guard let first = texts.first?.1 else { return [:] }
        let shared = texts.reduce(first.count) { count, text in
            zip(first, text.1).prefix(count).prefix { $0 == $1 }.count
        }
        var (start, length) = shared < 8 ? (0, 8) : (shared, 4)
        while start + length < first.count, Set(texts.map { $0.1[start..<start + length] }).count < texts.count {
            length += 1
        }
        start = min(start, first.count - 4)
        let end = min(start + length, first.count)
        return Dictionary(
            texts.map { uuid, text in
                (uuid, (start > 0 ? mark : "") + String(text[start..<end]) + (end < text.count ? mark : ""))
            }, uniquingKeysWith: { first, _ in first })
    }
}
