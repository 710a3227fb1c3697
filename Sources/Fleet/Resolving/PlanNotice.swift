package import Rooms
import Text

/// Decides when to report that the plan and the scanners do not name the same rooms. A plain value.
struct PlanNotice: Sendable {
    private var told = PlanMismatch()
    private var lines: [String] = []

    /// Called once a minute, because scanners appear one after the other. Nothing is reported twice.
    mutating func look(at mismatch: PlanMismatch) {
        guard mismatch != told else { return }
        told = mismatch
        lines = mismatch.lines
    }

    mutating func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

extension PlanMismatch {
    /// The maximum number of names in a line. Further ones are only counted.
    private static let mostNames = 10

    /// For people: a line for each kind of difference.
    package var lines: [String] {
        var lines: [String] = []
        if !notDrawn.isEmpty {
            lines.append(
                "scanners stand in rooms that the plan does not have: \(Self.text(notDrawn)); a room needs the same "
                    + "name and floor in both")
        }
        if !onlyDrawn.isEmpty {
            lines.append("the plan has rooms that no scanner and no lesson names: \(Self.text(onlyDrawn))")
        }
        return lines
    }

    private static func text(_ rooms: [RoomMap.Room]) -> String {
        let names = rooms.prefix(mostNames).map { "\(excerpt($0.name)) (floor \($0.floor))" }.joined(separator: ", ")
        return rooms.count > mostNames ? "\(names) and \(rooms.count - mostNames) more" : names
    }
}
