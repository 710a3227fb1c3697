import Ranging

/// Cells for buildings whose scanners have positions, or whose rooms have outlines.
extension RoomMap {
    /// A square of a floor's grid.
    private struct Square: Hashable, Comparable {
        var column: Int
        var row: Int

        static func < (one: Square, other: Square) -> Bool { (one.column, one.row) < (other.column, other.row) }
    }

    /// The squares of a floor: their origin, and what is there.
    private struct Grid {
        let corner: Position
        let size: Double

        func square(_ position: Position) -> Square {
            Square(
                column: Int(((position.x - corner.x) / size).rounded()),
                row: Int(((position.y - corner.y) / size).rounded()))
        }

        func position(_ square: Square) -> Position {
            Position(x: corner.x + Double(square.column) * size, y: corner.y + Double(square.row) * size)
        }
    }

    /// A square's middle, and the room that contains it.
    private typealias Place = (position: Position, room: Room)

    /// The maximum number of squares that are examined for the rooms of a floor, because a plan may have any size.
    private static let mostLookedAt = 20 * mostCells
    /// Metres: wider than any plan.
    private static let largestSquare = 100_000.0

    /// If a building is too large for squares of the usual size, they are made larger, so that all of it is covered.
    mutating func addSquares() {
        let usual = model.cellSize
        var found = squares(isUsual: true)
        while found.map({ $0.count > Self.mostCells }) ?? true, model.cellSize < Self.largestSquare {
            let factor = found.map { (Double($0.count) / Double(Self.mostCells)).squareRoot() } ?? 2
            // At least a little larger each time, because rooms smaller than a square also get one.
            model.cellSize *= max(1.02, factor)
            found = squares(isUsual: false)
        }
        scale = model.cellSize / usual
        for place in found ?? [] { addSquare(at: place.position, in: place.room) }
    }

    /// All squares, floor by floor; nil where there are far too many.
    private func squares(isUsual: Bool) -> [Place]? {
        var all: [Place] = []
        for floor in Set(rooms.map(\.floor)).sorted() {
            let plans = outlines.filter { $0.room.floor == floor }
            // A scanner in a room with an outline says nothing about the space outside.
            let drawn = Set(plans.map(\.room))
            let free = places.indices.filter { places[$0].floor == floor && !drawn.contains(places[$0].inRoom) }
            let spots = free.compactMap { positions[$0] }
            // The middle of a square is half a square away from a wall.
            let corners = plans.flatMap(\.corners).map {
                Position(x: $0.x + model.cellSize / 2, y: $0.y + model.cellSize / 2)
            }
            guard let left = (corners.isEmpty ? spots : corners).map(\.x).min(),
                let top = (corners.isEmpty ? spots : corners).map(\.y).min()
            else { continue }
            let grid = Grid(corner: Position(x: left, y: top), size: model.cellSize)
            guard let squares = squares(grid, around: spots, in: plans) else { return nil }
            var withSquare: Set<Room> = []
            for square in squares.sorted() {
                let position = grid.position(square)
                if let plan = plans.first(where: { $0.contains(position) }) {
                    all.append((position, plan.room))
                } else if let owner = nearest(to: position, among: free) {
                    all.append((position, places[owner].inRoom))
                } else {
                    continue
                }
                if let room = all.last?.room { withSquare.insert(room) }
            }
            for plan in plans where withSquare.insert(plan.room).inserted { all.append((plan.middle, plan.room)) }
            // Two scanners may be in one of the larger squares.
            for scanner in free where !isUsual && withSquare.insert(places[scanner].inRoom).inserted {
                if let position = positions[scanner] { all.append((position, places[scanner].inRoom)) }
            }
        }
        return all
    }

    /// Only squares around scanners and in rooms: there is nothing between two that are far apart. Nil for far too
    /// many.
    private func squares(_ grid: Grid, around spots: [Position], in plans: [RoomOutline]) -> Set<Square>? {
        let reach = (model.reach / model.cellSize).rounded(.up) * model.cellSize
        var ranges = plans.map { (first: grid.square($0.bounds.least), last: grid.square($0.bounds.greatest)) }
        for spot in spots {
            let least = Position(x: spot.x - reach, y: spot.y - reach)
            let greatest = Position(x: spot.x + reach, y: spot.y + reach)
            ranges.append((first: grid.square(least), last: grid.square(greatest)))
        }
        let lookedAt = ranges.reduce(0) { sum, range in
            sum + (range.last.column - range.first.column + 1) * (range.last.row - range.first.row + 1)
        }
        guard lookedAt <= Self.mostLookedAt else { return nil }
        var squares: Set<Square> = []
        for (first, last) in ranges {
            for column in first.column...max(first.column, last.column) {
                for row in first.row...max(first.row, last.row) { squares.insert(Square(column: column, row: row)) }
            }
        }
        return squares
    }

    /// The nearest scanner; nil if none is near.
    private func nearest(to position: Position, among scanners: [Int]) -> Int? {
        var nearest: (scanner: Int, distance: Double)?
        for scanner in scanners {
            guard let distance = positions[scanner]?.distance(to: position) else { continue }
            if nearest.map({ distance < $0.distance }) ?? true { nearest = (scanner, distance) }
        }
        return nearest.flatMap { $0.distance <= model.reach ? $0.scanner : nil }
    }

    private mutating func addSquare(at position: Position, in room: Room) {
        guard cells.count < Self.mostCells else { return }
        cells.append(Cell(room: rooms.firstIndex(of: room) ?? 0, floor: room.floor, position: position))
        for (place, scanner) in zip(places, positions) {
            losses.append(scanner.map { loss(from: position, in: room, to: place, at: $0) } ?? 0)
            spreads.append(model.spread)
        }
    }

    /// The loss in dB from a position in a room to a scanner.
    func loss(from cell: Position, in room: Room, to place: ScannerPlace, at position: Position) -> Double {
        let way = cell.distance(to: position)
        let floors = Double(abs(place.floor - room.floor))
        let height = floors * model.ceilingHeight
        // At least a metre, because the two are not at the same height.
        let distance = (way * way + height * height + 1).squareRoot()
        return 10 * model.pathLossExponent * decimalLogarithm(distance) + floors * model.ceilingLoss
            + (place.inRoom == room ? 0 : walls(from: cell, to: position, floor: room.floor, distance: distance))
    }

    /// The loss in the walls on the path into another room, in dB.
    private func walls(from cell: Position, to scanner: Position, floor: Int, distance: Double) -> Double {
        let plans = outlines.filter { $0.room.floor == floor }
        // Walls are unknown: assume one for each 6 m.
        guard !plans.isEmpty else { return (distance / 6).clamped(to: 1...3) * model.wallLoss }
        let crossings = plans.reduce(0) { $0 + $1.crossings(from: cell, to: scanner) }
        // A wall between two rooms is in the outlines of both.
        return Double((crossings + 1) / 2).clamped(to: 1...5) * model.drawnWallLoss
    }

    /// Steps to the neighbouring cells, which are rarer if they lead into another room.
    func neighbours() -> CellSteps {
        // A beacon leaves a larger square more rarely, but still for the next one.
        let speed = model.speed * scale
        let farthest = 3.5 * speed
        var steps = CellSteps()
        for (index, cell) in cells.enumerated() {
            guard cell.position != nil else {
                steps.addRow(mixed(index))
                continue
            }
            var row: [(Int, Double)] = []
            for (other, target) in cells.enumerated() where target.floor == cell.floor {
                guard let from = cell.position, let to = target.position else { continue }
                let distance = from.distance(to: to)
                guard distance <= farthest else { continue }
                let part = distance / speed
                let share = exponential(-0.5 * part * part) * (target.room == cell.room ? 1 : model.crossing)
                row.append((other, other == index ? share : share / (scale * scale)))
            }
            steps.addRow(row)
        }
        return steps
    }
}
