import Ranging

/// The cells in which a beacon may be, how well each scanner hears them, and which cell may follow which.
///
/// Where every scanner has a position, cells are squares of the floors. They belong to the room whose outline is around
/// them, and without outlines to the room of the scanner that is nearest. Without positions, each scanner has some
/// cells at different distances from it. Rooms that were taught have cells of their own, or take squares over.
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

        /// What a message says of a floor, as near as a building can have it; 0 where it says nothing.
        package static func floor(_ number: Int?) -> Int { max(floors.lowerBound, min(floors.upperBound, number ?? 0)) }

        package static func < (one: Room, other: Room) -> Bool { (one.floor, one.name) < (other.floor, other.name) }
    }

    /// Scanners beyond these are left out: nobody can fill the memory with names.
    package static let mostScanners = 512
    /// Where squares of the usual size would be more, they are larger.
    package static let mostCells = 5000

    package let places: [ScannerPlace]
    /// Where the scanners are taken to be: those without a position are in the middle of their room's outline.
    let positions: [Position?]
    let outlines: [RoomOutline]
    package let rooms: [Room]
    package internal(set) var cells: [Cell] = []
    /// dB, cell by cell, in each cell one for each scanner: what is lost on the way, and by how much single levels
    /// deviate.
    var losses: [Double] = []
    var spreads: [Double] = []
    private(set) var steps = CellSteps()
    private(set) var anchors = Anchors()
    /// The same for maps of which a checkpoint means the same.
    package private(set) var digest = ""
    /// The probability, each second, that a beacon may be in any cell.
    let jump: Double
    package let hasPositions: Bool
    /// Whether enough scanners have been measured to say where in a room a beacon is.
    let hasSpots: Bool
    var model: RoomModel
    /// How many times as wide as usual squares are.
    var scale = 1.0

    /// - Parameters:
    ///   - places: one for each scanner, in any order.
    ///   - outlines: where rooms are, as far as somebody has said it.
    ///   - taught: what is known of rooms from walking about in them.
    package init(
        _ places: [ScannerPlace], outlines: [RoomOutline] = [], taught: [TaughtRoom] = [],
        model: RoomModel = RoomModel()
    ) {
        // In an order that depends on nothing but the places: two resolvers count alike.
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
