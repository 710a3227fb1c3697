import Beacon
import Rooms
import TestSupport
import Testing

/// Six scanners in a row, each of which is a beacon too.
private let hall = (0..<6).map { number in
    ScannerPlace(
        scanner: "pi-\(number)", room: "R\(number / 2)", position: Position(x: Double(number) * 4, y: 2),
        beacon: FleetBeacon.identity(of: "pi-\(number)"))
}

/// What they hear of each other, one with a weak antenna.
private func seconds(_ range: Range<Int64>, weak: [String: Double]) -> [(Int64, [ScannerSecond])] {
    var random = SeededGenerator(seed: 3)
    return range.map { second in
        (second, hall.map { place in
            ScannerSecond(scanner: place.scanner, second: second, heard: hall.compactMap { sender in
                guard sender != place, let beacon = sender.beacon, let way = distance(sender, place) else { return nil }
                let noise = Double.random(in: -4...4, using: &random)
                return HeardLevel(beacon: beacon, level: -59 - 3 * way + noise - (weak[place.scanner] ?? 0), count: 2)
            })
        })
    }
}

private func distance(_ one: ScannerPlace, _ other: ScannerPlace) -> Double? {
    one.position.flatMap { from in other.position.map { from.distance(to: $0) } }
}

@Suite("Scanners that are beacons") struct AnchorTests {
    @Test("level the antennas by what they hear of each other, without any other beacon")
    func levelling() throws {
        var resolver = RoomResolver(RoomMap(hall))
        for (second, reports) in seconds(0..<900, weak: ["pi-2": 10]) { _ = resolver.resolve(second, reports) }
        let antennas = resolver.continuation.antennas
        let weak = try #require(antennas["pi-2"])
        let others = antennas.filter { $0.key != "pi-2" }.values
        #expect(others.count == hall.count - 1)
        #expect(others.allSatisfy { $0 - weak > 4 }, "\(antennas)")
        #expect(others.allSatisfy { abs($0) < 5 }, "\(antennas)")
        #expect(resolver.answers.isEmpty, "they are in no room")
    }

    @Test("are in no room where nobody knows of which scanner they are")
    func untold() {
        var resolver = RoomResolver(
            RoomMap(hall.map { ScannerPlace(scanner: $0.scanner, room: $0.room, position: $0.position) }))
        for (second, reports) in seconds(0..<30, weak: [:]) {
            let news = resolver.resolve(second, reports)
            #expect(news.isEmpty)
        }
        #expect(resolver.answers.isEmpty)
        #expect(resolver.continuation.antennas.values.allSatisfy { $0 == 0 })
    }

    @Test("say nothing where scanners have no positions, or only one hears")
    func silence() {
        let rings = hall.map { ScannerPlace(scanner: $0.scanner, room: $0.room, beacon: $0.beacon) }
        var resolver = RoomResolver(RoomMap(rings))
        var lonely = RoomResolver(RoomMap(hall))
        for (second, reports) in seconds(0..<120, weak: ["pi-2": 10]) {
            _ = resolver.resolve(second, reports)
            _ = lonely.resolve(second, reports.filter { $0.scanner == "pi-0" })
        }
        #expect(resolver.continuation.antennas.values.allSatisfy { $0 == 0 })
        #expect(lonely.continuation.antennas.values.allSatisfy { $0 == 0 })
    }

    @Test("make the same of the same, bit by bit")
    func same() {
        var (one, other) = (RoomResolver(RoomMap(hall)), RoomResolver(RoomMap(hall.reversed())))
        for (second, reports) in seconds(0..<180, weak: ["pi-4": 6]) {
            _ = one.resolve(second, reports)
            _ = other.resolve(second, reports.reversed())
        }
        #expect(one.continuation == other.continuation)
    }
}
