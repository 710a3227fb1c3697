import Ranging

/// Cells for buildings whose scanners have no positions.
extension RoomMap {
    mutating func addRings() {
        for owner in places {
            for distance in model.ownDistances {
                cells.append(Cell(room: room(owner), floor: owner.floor, position: nil))
                for place in places {
                    let isSameRoom = place.inRoom == owner.inRoom
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

    /// Within a room, every cell can follow every cell.
    func mixing() -> CellSteps {
        var steps = CellSteps()
        for index in cells.indices { steps.addRow(mixed(index)) }
        return steps
    }

    func mixed(_ index: Int) -> [(cell: Int, weight: Double)] {
        cells.indices.filter { cells[$0].room == cells[index].room && cells[$0].position == nil }
            .map { ($0, $0 == index ? 0.7 : 0.3) }
    }
}
