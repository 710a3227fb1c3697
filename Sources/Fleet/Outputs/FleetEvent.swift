package import Beacon
package import Rooms

/// A change in the fleet.
package enum FleetEvent: Hashable, Sendable {
    /// A beacon is in another room, or its room is unknown now.
    case room(RoomAnswer, previous: RoomMap.Room?)
    /// A scanner has appeared, has gone, is blind, or can receive again. `previous` is nil if it was not known before.
    case scanner(FleetScanner, previous: FleetScanner.State?)

    /// The event's name in every documented format.
    package var kind: String {
        switch self {
        case .room: "room"
        case .scanner: "scanner"
        }
    }
}

/// An event with its number and its time.
package struct FleetRecord: Hashable, Sendable {
    /// Increases by one with every event, as in the daemon. The first is the start in microseconds since 1970.
    package var id: UInt64
    package var time: Timestamp
    package var event: FleetEvent

    package init(id: UInt64, time: Timestamp, event: FleetEvent) {
        self.id = id
        self.time = time
        self.event = event
    }
}

/// Finds what has changed from one snapshot to the next.
package struct FleetChanges: Sendable {
    private struct Known: Hashable {
        var room: RoomMap.Room?
        var unknown: RoomAnswer.Unknown?
    }

    private var rooms: [BeaconID: Known]?
    private var scanners: [String: FleetScanner.State] = [:]

    package init() {}

    /// The contents of the first snapshot are no changes.
    package mutating func take(_ snapshot: FleetSnapshot) -> [FleetEvent] {
        // Before the first second, the resolver knows no rooms.
        guard snapshot.second != nil else { return [] }
        var events: [FleetEvent] = []
        let isFirst = rooms == nil
        var news: [BeaconID: Known] = [:]
        for answer in snapshot.rooms where answer.room != nil || answer.unknown != nil {
            let now = Known(room: answer.room, unknown: answer.unknown)
            news[answer.beacon] = now
            let before = rooms?[answer.beacon]
            if !isFirst, before != now { events.append(.room(answer, previous: before?.room)) }
        }
        rooms = news
        var states: [String: FleetScanner.State] = [:]
        for scanner in snapshot.scanners {
            let name = scanner.place.scanner
            states[name] = scanner.state
            if !isFirst, scanners[name] != scanner.state {
                events.append(.scanner(scanner, previous: scanners[name]))
            }
        }
        scanners = states
        return events
    }
}
