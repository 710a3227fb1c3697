import Ranging

/// The cells in which a beacon may be, how well each scanner hears them, and which cell may follow which.
///
/// Where every scanner has a position, cells are squares of the floors around them, and belong to the room of the
/// scanner that is nearest. Where not, each scanner has some cells at different distances from it.
package struct RoomMap: Sendable {
    package struct Cell: Hashable, Sendable {
        /// An index into `rooms`.
        package var room: Int
        package var floor: Int
        package var position: Position?
    }

    package struct Room: Hashable, Sendable {
        package var name: String
        package var floor: Int

        package init(name: String, floor: Int) {
            self.name = name
            self.floor = floor
        }
    }

    /// Scanners and rooms beyond these are left out: nobody can fill the memory with names.
    package static let mostScanners = 512
    package static let mostCells = 5000

    package let places: [ScannerPlace]
    package let rooms: [Room]
    package private(set) var cells: [Cell] = []
    /// dB, cell by cell, in each cell one for each scanner: what is lost on the way, and by how much single levels
    /// deviate.
    private(set) var losses: [Double] = []
    private(set) var spreads: [Double] = []
    private(set) var steps = CellSteps()
    /// The probability, each second, that a beacon may be in any cell.
    let jump: Double
    package let hasPositions: Bool
    let model: RoomModel

    /// - Parameter places: one for each scanner, in any order.
    package init(_ places: [ScannerPlace], model: RoomModel = RoomModel()) {
        // In an order that depends on nothing but the places: two resolvers count alike.
        let places = Array(places.sorted { $0.scanner < $1.scanner }.prefix(Self.mostScanners))
        self.places = places
        self.model = model
        let names = Set(places.map { Room(name: $0.room, floor: $0.floor) })
        rooms = names.sorted { ($0.floor, $0.name) < ($1.floor, $1.name) }
        hasPositions = !places.isEmpty && places.allSatisfy { $0.position != nil }
        jump = hasPositions ? model.jump : model.change
        if hasPositions {
            addSquares()
        } else {
            addRings()
        }
        steps = hasPositions ? neighbours() : mixing()
    }

    /// The index of a room.
    func room(_ place: ScannerPlace) -> Int {
        rooms.firstIndex { $0.name == place.room && $0.floor == place.floor } ?? 0
    }

    // MARK: - Cells with positions

    private mutating func addSquares() {
        for floor in Set(places.map(\.floor)).sorted() {
            let here = places.filter { $0.floor == floor }
            let spots = here.compactMap(\.position)
            guard let left = spots.map(\.x).min(), let top = spots.map(\.y).min() else { continue }
            // Only around scanners: two that are far apart have nothing between them.
            let around = (model.reach / model.cellSize).rounded(.up)
            var squares: Set<[Int]> = []
            for spot in spots where squares.count < Self.mostCells {
                let (column, row) = (((spot.x - left) / model.cellSize).rounded(), ((spot.y - top) / model.cellSize).rounded())
                for x in stride(from: column - around, through: column + around, by: 1) {
                    for y in stride(from: row - around, through: row + around, by: 1) { squares.insert([Int(x), Int(y)]) }
                }
            }
            for square in squares.sorted(by: { ($0[0], $0[1]) < ($1[0], $1[1]) }) {
                let x = left + Double(square[0]) * model.cellSize
                let y = top + Double(square[1]) * model.cellSize
                addSquare(at: Position(x: x, y: y), floor: floor, among: here)
            }
        }
    }

    private mutating func addSquare(at position: Position, floor: Int, among here: [ScannerPlace]) {
        var nearest: (place: ScannerPlace, distance: Double)?
        for place in here {
            guard let distance = place.position?.distance(to: position) else { continue }
            if nearest.map({ distance < $0.distance }) ?? true { nearest = (place, distance) }
        }
        guard let nearest, nearest.distance <= model.reach, cells.count < Self.mostCells else { return }
        cells.append(Cell(room: room(nearest.place), floor: floor, position: position))
        for place in places {
            losses.append(place.position.map { loss(from: position, floor, in: nearest.place.room, to: place, at: $0) } ?? 0)
            spreads.append(model.spread)
        }
    }

    private func loss(
        from cell: Position, _ floor: Int, in room: String, to place: ScannerPlace, at position: Position
    ) -> Double {
        let way = cell.distance(to: position)
        let floors = Double(abs(place.floor - floor))
        let height = floors * model.ceilingHeight
        // A metre is as near as it gets: the two are not at the same height.
        let distance = (way * way + height * height + 1).squareRoot()
        let isSameRoom = place.room == room && place.floor == floor
        let walls = isSameRoom ? 0 : (distance / 6).clamped(to: 1...3)
        return 10 * model.pathLossExponent * decimalLogarithm(distance) + walls * model.wallLoss
            + floors * model.ceilingLoss
    }

    /// Steps to the cells around, rarer where they lead into another room.
    private func neighbours() -> CellSteps {
        let farthest = 3.5 * model.speed
        var steps = CellSteps()
        for cell in cells {
            var row: [(Int, Double)] = []
            for (other, target) in cells.enumerated() where target.floor == cell.floor {
                guard let from = cell.position, let to = target.position else { continue }
                let distance = from.distance(to: to)
                guard distance <= farthest else { continue }
                let part = distance / model.speed
                row.append((other, exponential(-0.5 * part * part) * (target.room == cell.room ? 1 : model.crossing)))
            }
            steps.addRow(row)
        }
        return steps
    }

    // MARK: - Cells without positions

    private mutating func addRings() {
        for owner in places {
            for distance in model.ownDistances {
                cells.append(Cell(room: room(owner), floor: owner.floor, position: nil))
                for place in places {
                    let isSameRoom = place.room == owner.room && place.floor == owner.floor
                    let isOwner = place.scanner == owner.scanner
                    let way = isOwner ? distance : isSameRoom ? model.ownDistances.last ?? 6 : model.otherDistance
                    let floors = Double(abs(place.floor - owner.floor))
                    losses.append(
                        10 * model.pathLossExponent * decimalLogarithm(way) + (isSameRoom ? 0 : model.wallLoss)
                            + floors * model.ceilingLoss)
                    spreads.append(isOwner ? model.spread : model.otherSpread)
                }
            }
        }
    }

    /// Within a room anything follows anything.
    private func mixing() -> CellSteps {
        var steps = CellSteps()
        for (index, cell) in cells.enumerated() {
            steps.addRow(cells.indices.filter { cells[$0].room == cell.room }.map { ($0, $0 == index ? 0.7 : 0.3) })
        }
        return steps
    }
}
