import Rooms

/// The building as messages describe it: the places of scanners, the outlines of rooms, and what was taught.
struct FleetBuilding: Sendable {
    private var places: [String: ScannerPlace] = [:]
    private(set) var outlines: [RoomOutline] = []
    /// By the hash in the topic.
    private var taught: [String: TaughtRoom] = [:]
    /// Whether it has changed since the last map of it.
    private(set) var isNew = true
    /// What was received before this connection, and not yet again in it; nil once the rest was dropped.
    private var unconfirmed: Unconfirmed?

    private struct Unconfirmed {
        var hosts: Set<String>
        var isDrawn: Bool
        var taught: Set<String>
    }

    var scanners: [ScannerPlace] { places.values.sorted { $0.scanner < $1.scanner } }

    /// Rooms that only the plan names, or only the scanners.
    var mismatch: PlanMismatch {
        PlanMismatch(outlines: outlines, scanners: Array(places.values), taught: taught.values.map(\.room))
    }

    func hasPlace(of host: String) -> Bool { places[host] != nil }

    /// - Parameter place: nil for a scanner that no longer has one.
    mutating func place(_ place: ScannerPlace?, of host: String) {
        unconfirmed?.hosts.remove(host)
        if places.set(place, for: host, most: RoomMap.mostScanners) { isNew = true }
    }

    mutating func draw(_ outlines: [RoomOutline]) {
        unconfirmed?.isDrawn = false
        guard self.outlines != outlines else { return }
        (self.outlines, isNew) = (outlines, true)
    }

    /// - Parameter room: nil for a room whose lesson was removed.
    mutating func teach(_ room: TaughtRoom?, _ hash: String) {
        unconfirmed?.taught.remove(hash)
        if taught.set(room, for: hash, most: TaughtRoom.mostRooms) { isNew = true }
    }

    /// There is a new connection: everything has to be confirmed by it.
    mutating func renew() {
        isNew = true
        unconfirmed = Unconfirmed(hosts: Set(places.keys), isDrawn: !outlines.isEmpty, taught: Set(taught.keys))
    }

    /// Forgets what was not received again in this connection, because it was removed while there was none. Once in a
    /// connection.
    ///
    /// - Returns: the scanners that were removed.
    mutating func dropUnconfirmed() -> [String] {
        guard let gone = unconfirmed.take() else { return [] }
        for host in gone.hosts { place(nil, of: host) }
        for hash in gone.taught { teach(nil, hash) }
        if gone.isDrawn { draw([]) }
        return gone.hosts.sorted()
    }

    mutating func map() -> RoomMap {
        isNew = false
        return RoomMap(scanners, outlines: outlines, taught: Array(taught.values))
    }
}

extension Dictionary where Value: Equatable {
    /// - Returns: whether that was a change. Above the limit nothing is added.
    fileprivate mutating func set(_ value: Value?, for key: Key, most: Int) -> Bool {
        guard self[key] != value, value == nil || self[key] != nil || count < most else { return false }
        self[key] = value
        return true
    }
}
