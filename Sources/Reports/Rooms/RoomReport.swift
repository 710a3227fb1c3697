package import Beacon

/// A room as a report names it.
package struct ReportedRoom: Hashable, Sendable, Comparable {
    package var name: String
    /// 0 is the ground floor.
    package var floor: Int

    package init(name: String, floor: Int) {
        self.name = name
        self.floor = floor
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.floor, left.name) < (right.floor, right.name)
    }
}

/// The time that a beacon was in a room without a break.
package struct RoomStay: Hashable, Sendable {
    package var beacon: BeaconID
    package var room: ReportedRoom
    package var span: ClosedRange<Timestamp>

    package init(beacon: BeaconID, room: ReportedRoom, span: ClosedRange<Timestamp>) {
        self.beacon = beacon
        self.room = room
        self.span = span
    }
}

/// Which beacons were in which rooms, for how long, and where they went.
package struct RoomReport: Sendable, Hashable {
    package var span: ClosedRange<Timestamp>
    /// Whether stays before some time are left out because there were too many.
    package var isCut = false
    /// When the history begins; nil if it is empty, or if this is unknown.
    package var historyBegins: Timestamp?
    /// The length in seconds of each bucket of a series.
    package var bucketSeconds = 1.0
    /// The longest dwell first.
    package var rooms: [Room] = []
    /// The longest dwell first.
    package var beacons: [Inhabitant] = []
    /// The most frequent first.
    package var transitions: [Way] = []
    /// The problems of beacons, the newest first.
    package var health: [ReportedProblem] = []

    package struct Room: Sendable, Hashable {
        package var room: ReportedRoom
        /// The visits of all beacons together, which may overlap.
        package var visits = VisitHistory()
        /// The number of different beacons that were there.
        package var beacons = 0
        /// Seconds of all beacons together, by the hour of the day, from 0 to 23.
        package var secondsByHour = [Double](repeating: 0, count: 24)
        /// The average number of beacons there, in each bucket of the span.
        package var presence: [Double] = []
    }

    package struct Inhabitant: Sendable, Hashable {
        package var id: BeaconID
        /// Nil if it has no name.
        package var name: String?
        /// In the order of time.
        package var stays: [RoomStay] = []
        /// The longest dwell first.
        package var rooms: [(room: ReportedRoom, visits: VisitHistory)] = []

        /// The time in any room.
        package var seconds: Double { stays.map(\.span).seconds }

        package static func == (left: Self, right: Self) -> Bool {
            (left.id, left.name, left.stays) == (right.id, right.name, right.stays)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(id)
            hasher.combine(stays)
        }
    }

    /// A way of beacons from one room to another.
    package struct Way: Sendable, Hashable {
        package var from: ReportedRoom
        package var to: ReportedRoom
        package var count: Int
    }
}
