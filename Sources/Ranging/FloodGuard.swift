import Beacon

/// Applies the flood rules. It counts in bounded tables. A full table is emptied, but what was found to be a flood
/// stays one.
struct FloodGuard {
    /// Entries of a table.
    static let limit = 4096

    private let rules: FloodRules
    private var identities = Groups<DeviceAddress, BeaconID>()
    private var addresses = Groups<BeaconID, DeviceAddress>()
    private var pairs = Groups<ProximityUUID, UInt32>()

    init(_ rules: FloodRules) {
        self.rules = rules
    }

    var isOff: Bool { rules.isOff }

    /// Whether an identity was received from many addresses.
    func isRotating(_ id: BeaconID) -> Bool {
        addresses.isFlood(id)
    }

    /// Counts a sighting. Returns true if it must be ignored.
    mutating func ignores(_ sighting: Sighting) -> Bool {
        let id = sighting.beacon.id
        if let limit = rules.pairsPerUUID,
            pairs.add(UInt32(id.major) << 16 | UInt32(id.minor), to: id.uuid, limit: limit + 1)
        {
            return true
        }
        guard let address = sighting.address else { return false }
        if let limit = rules.addressesPerIdentity, addresses.add(address, to: id, limit: limit) {
            return false
        }
        if let limit = rules.identitiesPerAddress {
            return identities.add(id, to: address, limit: limit)
        }
        return false
    }
}

/// Distinct members by key, up to a limit at which the key is a flood.
private struct Groups<Key: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
    private var members: [Key: Set<Member>] = [:]
    private var floods: Set<Key> = []

    func isFlood(_ key: Key) -> Bool {
        floods.contains(key)
    }

    /// Returns true if the key is a flood, with this member or already before.
    mutating func add(_ member: Member, to key: Key, limit: Int) -> Bool {
        if floods.contains(key) { return true }
        if members.count >= FloodGuard.limit, members[key] == nil {
            members.removeAll(keepingCapacity: true)
        }
        members[key, default: []].insert(member)
        guard let count = members[key]?.count, count >= limit else { return false }
        members[key] = nil
        if floods.count >= FloodGuard.limit {
            floods.removeAll(keepingCapacity: true)
        }
        floods.insert(key)
        return true
    }
}
