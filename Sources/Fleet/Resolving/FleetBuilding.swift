import Rooms

/// What messages say of the building: where scanners stand, where rooms are, and what was taught.
struct FleetBuilding: Sendable {
    private var places: [String: ScannerPlace] = [:]
    private(set) var outlines: [RoomOutline] = []
    /// By the hash in the topic.
    private var taught: [String: TaughtRoom] = [:]
    /// Whether it has changed since the last map of it.
    private(set) var isNew = true

    var scanners: [ScannerPlace] { places.values.sorted { $0.scanner < $1.scanner } }

    func hasPlace(of host: String) -> Bool { places[host] != nil }

    /// - Parameter place: nil for a scanner that has none any more.
    mutating func place(_ place: ScannerPlace?, of host: String) {
        if places.set(place, for: host, most: RoomMap.mostScanners) { isNew = true }
    }

    mutating func draw(_ outlines: [RoomOutline]) {
        guard self.outlines != outlines else { return }
        (self.outlines, isNew) = (outlines, true)
    }

    /// - Parameter room: nil for one that is forgotten.
    mutating func teach(_ room: TaughtRoom?, _ hash: String) {
        if taught.set(room, for: hash, most: TaughtRoom.mostRooms) { isNew = true }
    }

    /// A new connection: what it says counts, whether or not it is the same.
    mutating func renew() { isNew = true }

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
