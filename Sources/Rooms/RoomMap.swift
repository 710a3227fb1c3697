import Ranging

/// The cells in which a beacon may be, how well each scanner receives it there, and which cell may follow which.
///
/// If every scanner has a position, cells are squares of the floors. A square belongs to the room whose outline
/// contains it or, without outlines, to the room of the nearest scanner. Without positions, each scanner has some cells
/// at different distances from it. Taught rooms have their own cells, or take squares over.
package struct RoomMap: Sendable {
    package struct Cell: Hashable, Sendable {
        /// An index into `rooms`.
        package var room: Int
        package var floor: Int
        package var position: Position?
    }

    package struct Room: Hashable, Comparable, Sendable {
        package var name: String
        package var floor: Int

        package init(name: String, floor: Int) {
            self.name = name
            self.floor = floor
        }

        /// Floors that a building can have.
        package static let floors = -99...999

        /// A message's floor number, limited to `floors`; 0 if it has none.
        package static func floor(_ number: Int?) -> Int { max(floors.lowerBound, min(floors.upperBound, number ?? 0)) }

        package static func < (one: Room, other: Room) -> Bool { (one.floor, one.name) < (other.floor, other.name) }
    }

    /// The maximum number of scanners, so that nobody can fill the memory with names.
    package static let mostScanners = 512
    /// The maximum number of cells. Squares are larger if there would be more.
    package static let mostCells = 5000

    package let places: [ScannerPlace]
    /// The assumed positions of scanners. Those without a position are in the middle of their room's outline.
    let positions: [Position?]
    let outlines: [RoomOutline]
    package let rooms: [Room]
    package internal(set) var cells: [Cell] = []
    /// For each cell and, within it, for each scanner: the loss in dB, and the deviation of single levels.
    var losses: [Double] = []
    var spreads: [Double] = []
    private(set) var steps = CellSteps()
    private(set) var anchors = Anchors()
    /// Equal for maps on which a checkpoint has the same meaning.
    package private(set) var digest = ""
    /// The probability per second that a beacon jumps to any cell.
    let jump: Double
    package let hasPositions: Bool
    /// Whether enough scanners have a position to say where in a room a beacon is.
    let hasSpots: Bool
    var model: RoomModel
    /// The factor by which squares are wider than usual.
    var scale = 1.0

    /// - Parameters:
    ///   - places: one for each scanner, in any order.
    ///   - outlines: the outlines of rooms, as far as they were drawn.
    ///   - taught: what was learned by walking about in rooms.
    package init(
        _ places: [ScannerPlace], outlines: [RoomOutline] = [], taught: [TaughtRoom] = [],
        model: RoomModel = RoomModel()
    ) {
        // In an order that depends only on the places, so that indices are the same in all resolvers.
        let places = Array(places.sorted { $0.scanner < $1.scanner }.prefix(Self.mostScanners))
        self.places = places
        self.model = model
        let taught = Array(taught.sorted { $0.room < $1.room }.prefix(TaughtRoom.mostRooms))
        let outlines = Array(outlines.sorted { $0.room < $1.room }.prefix(RoomOutline.mostRooms))
        self.outlines = outlines
        rooms = Set(places.map(\.inRoom) + taught.map(\.room) + outlines.map(\.room)).sorted()
        positions = places.map { place in place.position ?? outlines.first { $0.room == place.inRoom }?.middle }
        hasPositions = !places.isEmpty && positions.allSatisfy { $0 != nil }
        hasSpots = hasPositions && places.count { $0.position != nil } >= Spot.fewestScanners
        jump = hasPositions ? model.jump : model.change
        if hasPositions {
            addSquares()
            anchors = Anchors(places) { from, to in
                guard let start = positions[from], let end = positions[to] else { return 0 }
                return loss(from: start, in: places[from].inRoom, to: places[to], at: end)
            }
        } else {
            addRings()
        }
        if !places.isEmpty { teach(taught) }
        steps = hasPositions ? neighbours() : mixing()
        digest = contentsDigest
    }

    /// The index of a room.
    func room(_ place: ScannerPlace) -> Int {
        rooms.firstIndex(of: place.inRoom) ?? 0
    }
}
