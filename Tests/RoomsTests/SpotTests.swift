import Beacon
import Rooms
import TestSupport
import Testing

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)

/// Scanners in the corners of a hall, and what they hear at a place.
private struct Hall {
    var places = [(0.0, 0.0), (12, 0), (12, 12), (0, 12)].enumerated().map { index, corner in
        ScannerPlace(scanner: "pi-\(index)", room: "Hall", position: Position(x: corner.0, y: corner.1))
    }
    var random = SeededGenerator(seed: 3)

    mutating func heard(at position: Position, second: Int64) -> [ScannerSecond] {
        places.map { place in
            let distance = (place.position?.distance(to: position) ?? 0) + 1
            var level = -59 - 8.686 * logarithm(distance)
            level += (0..<4).reduce(0) { sum, _ in sum + .random(in: -3...3, using: &random) }
            return ScannerSecond(
                scanner: place.scanner, second: second, heard: [HeardLevel(beacon: beacon, level: level, count: 1)])
        }
    }

    private func logarithm(_ value: Double) -> Double {
        // The sum of 1/x: enough for a test.
        stride(from: 1.0, to: value, by: 0.01).reduce(0) { $0 + 0.01 / $1 }
    }
}

@Suite struct SpotTests {
    @Test("a place is told with an interval in which the beacon is", arguments: [(3.0, 3.0), (6, 6), (10, 2)])
    func place(x: Double, y: Double) throws {
        var hall = Hall()
        var resolver = RoomResolver(RoomMap(hall.places))
        for second in 0..<60 as Range<Int64> {
            _ = resolver.resolve(second, hall.heard(at: Position(x: x, y: y), second: second))
        }
        let spot = try #require(resolver.answer(beacon)?.spot)
        #expect(spot.position.distance(to: Position(x: x, y: y)) <= spot.within)
        #expect(spot.within < 10)
        #expect((spot.position.x * 2).rounded() == spot.position.x * 2)
    }

    @Test("with two scanners that have a position there are no metres", arguments: [2, 3])
    func few(scanners: Int) {
        var hall = Hall()
        hall.places.removeLast(4 - scanners)
        var resolver = RoomResolver(RoomMap(hall.places))
        for second in 0..<30 as Range<Int64> {
            _ = resolver.resolve(second, hall.heard(at: Position(x: 6, y: 1), second: second))
        }
        #expect((resolver.answer(beacon)?.spot != nil) == (scanners == 3))
    }

    @Test("a beacon that rests is told a few times, one that walks at each step of some metres")
    func news() {
        var hall = Hall()
        var resolver = RoomResolver(RoomMap(hall.places))
        var told = 0
        for second in 0..<300 as Range<Int64> {
            told += resolver.resolve(second, hall.heard(at: Position(x: 3, y: 3), second: second)).count
        }
        #expect(told < 20)
        var steps = 0
        for second in 300..<330 as Range<Int64> {
            let way = Double(second - 300) / 4
            steps += resolver.resolve(second, hall.heard(at: Position(x: 3 + way, y: 3 + way), second: second)).count
        }
        #expect(steps >= 2)
    }
}
