import Ranging

/// Taught rooms: their place on the map, and the losses that are known better there than by calculation.
extension RoomMap {
    /// A taught spot on the map.
    private struct Landmark {
        var room: Int
        /// The most similar square.
        var cell: Int
        /// For each scanner: dB by which the loss is greater than calculated; nil if nothing was received.
        var corrections: [Double?]
    }

    mutating func teach(_ taught: [TaughtRoom]) {
        let calculated = cells.indices
        var landmarks: [Landmark] = []
        for var lesson in taught {
            guard let room = rooms.firstIndex(of: lesson.room) else { continue }
            // A spot whose scanners have all gone would fit everywhere equally.
            lesson.spots.removeAll { spot in !places.contains { spot[$0.scanner].flatMap(\.self) != nil } }
            let squares = calculated.filter { cells[$0].floor == lesson.room.floor && cells[$0].position != nil }
            if squares.isEmpty {
                for spot in lesson.spots { addCell(spot, room: room) }
            } else {
                landmarks += self.landmarks(lesson, room: room, among: squares)
            }
        }
        for cell in calculated { learn(landmarks, cell) }
    }

    // MARK: - Without squares

    private mutating func addCell(_ spot: TaughtRoom.Losses, room: Int) {
        cells.append(Cell(room: room, floor: rooms[room].floor, position: nil))
        for place in places {
            switch spot[place.scanner] {
            case .some(.some(let loss)):
                losses.append(loss)
                spreads.append(model.taughtSpread)
            case .some(.none):
                losses.append(RoomModel.unheardLoss)
                spreads.append(model.otherSpread)
            case .none:
                // A scanner that was added later.
                losses.append(10 * model.pathLossExponent * decimalLogarithm(model.otherDistance) + model.wallLoss)
                spreads.append(2 * model.otherSpread)
            }
        }
    }

    // MARK: - With squares

    private func landmarks(_ lesson: TaughtRoom, room: Int, among squares: [Int]) -> [Landmark] {
        let found = lesson.spots.map { spot in
            let cell = squares.min { unlikeness(of: $0, to: spot) < unlikeness(of: $1, to: spot) } ?? squares[0]
            let corrections = places.indices.map { index in
                spot[places[index].scanner].flatMap(\.self).map { $0 - losses[cell * places.count + index] }
            }
            return Landmark(room: room, cell: cell, corrections: corrections)
        }
        // What all have in common comes from the beacon, or from the person who carried it.
        let all = found.flatMap { $0.corrections.compactMap(\.self) }
        let common = all.reduce(0, +) / Double(max(1, all.count))
        return found.map { landmark in
            Landmark(
                room: landmark.room, cell: landmark.cell,
                corrections: landmark.corrections.map { $0.map { $0 - common } })
        }
    }

    /// How poorly a spot fits a square, in squared spreads.
    private func unlikeness(of cell: Int, to spot: TaughtRoom.Losses) -> Double {
        let calculated = places.indices.map { losses[cell * places.count + $0] }
        let differences = places.indices.compactMap { index in
            spot[places[index].scanner].flatMap(\.self).map { $0 - calculated[index] }
        }
        let common = differences.reduce(0, +) / Double(differences.count + 1)
        let variance = model.spread * model.spread
        var sum = common * common / (model.commonSpread * model.commonSpread)
        for difference in differences { sum += min((difference - common) * (difference - common) / variance, 9) }
        for (index, place) in places.enumerated() {
            guard case .some(.none) = spot[place.scanner] else { continue }
            let missing = max(0, RoomModel.unheardLoss - 10 - calculated[index])
            sum += min(missing * missing / variance, 9)
        }
        return sum
    }

    private mutating func learn(_ landmarks: [Landmark], _ cell: Int) {
        guard let position = cells[cell].position else { return }
        let near = landmarks.filter { cells[$0.cell].floor == cells[cell].floor }
            .map { (landmark: $0, distance: cells[$0.cell].position?.distance(to: position) ?? .infinity) }
        guard let nearest = near.min(by: { $0.distance < $1.distance }) else { return }
        // As with scanners, a square belongs to what is nearest, unless the room was drawn.
        if !outlines.contains(where: { $0.room == rooms[cells[cell].room] }),
            nearest.distance < scannerDistance(from: position, floor: cells[cell].floor)
        {
            cells[cell].room = nearest.landmark.room
        }
        for scanner in places.indices {
            var (sum, weight) = (0.0, 0.3)
            for (landmark, distance) in near where landmark.room == cells[cell].room {
                guard let correction = landmark.corrections[scanner] else { continue }
                let share = exponential(-0.5 * distance * distance / (model.taughtReach * model.taughtReach))
                sum += share * correction
                weight += share
            }
            losses[cell * places.count + scanner] += sum / weight
        }
    }

    private func scannerDistance(from position: Position, floor: Int) -> Double {
        zip(places, positions).compactMap { $0.floor == floor ? $1?.distance(to: position) : nil }.min() ?? .infinity
    }
}
