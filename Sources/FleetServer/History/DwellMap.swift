internal import Beacon
package import Fleet
import Rooms

/// For how long beacons were in each square metre in each hour, as far as it is known where in a room they are.
package struct DwellMap: Hashable, Sendable {
    /// A square metre in an hour.
    package struct Cell: Hashable, Sendable {
        /// Since 1970.
        package var hour: Int64
        package var floor: Int
        /// Whole metres, rounded down.
        package var x: Int
        package var y: Int

        package init(hour: Int64, floor: Int, x: Int, y: Int) {
            self.hour = hour
            self.floor = floor
            self.x = x
            self.y = y
        }
    }

    /// Cells between two writings. Further ones are left out.
    package static let mostCells = 50_000
    /// Seconds between two snapshots that still count: in a longer pause beacons may have gone anywhere.
    private static let longestStep: Int64 = 5

    package private(set) var seconds: [Cell: Int64] = [:]
    private var last: Int64?

    package init() {}

    package mutating func take(_ snapshot: FleetSnapshot) {
        guard let second = snapshot.second else { return }
        let step = second.subtractingClamped(last ?? second)
        last = second
        guard (1...Self.longestStep).contains(step) else { return }
        for answer in snapshot.rooms {
            guard let room = answer.room, let position = answer.spot?.position,
                let x = Int(exactly: position.x.rounded(.down)), let y = Int(exactly: position.y.rounded(.down))
            else { continue }
            add(step, to: Cell(hour: second / 3600, floor: room.floor, x: x, y: y))
        }
    }

    private mutating func add(_ step: Int64, to cell: Cell) {
        if seconds[cell] != nil || seconds.count < Self.mostCells { seconds[cell, default: 0] += step }
    }

    /// What is to be written now.
    package mutating func due() -> [Cell: Int64] {
        defer { seconds = [:] }
        return seconds
    }

    /// What could not be written.
    package mutating func putBack(_ cells: [Cell: Int64]) {
        for (cell, step) in cells { add(step, to: cell) }
    }
}
