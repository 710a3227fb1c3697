import Beacon
import Rooms
import TestSupport
import Testing

/// Two floors with three rooms each, 8 m apart, and a scanner in each.
private let museum = (0..<2).flatMap { floor in
    (0..<3).map { column in
        ScannerPlace(
            scanner: "pi-\(floor)\(column)", room: "\("GU".dropFirst(floor).first ?? "?")\(column)", floor: floor,
            position: Position(x: 4 + Double(column) * 8, y: 3))
    }
}

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)

/// What the museum's scanners hear of a beacon, second by second.
private struct Walk {
    var random = SeededGenerator(seed: 1)
    /// dB by which a scanner hears less.
    var weakness: [String: Double] = [:]
    var places = museum

    mutating func heard(at x: Double, floor: Int = 0, second: Int64, without: Set<String> = []) -> [ScannerSecond] {
        places.filter { !without.contains($0.scanner) }.map { place in
            let distance = abs((place.position?.x ?? 0) - x) + 1.5
            var level = -59 - 20 * decimalLogarithm(distance) - 6 * (distance / 8).rounded(.down)
            level -= 16 * Double(abs(place.floor - floor)) + (weakness[place.scanner] ?? 0)
            // Four dice: nearly normal, 5 dB.
            level += (0..<4).reduce(0) { sum, _ in sum + .random(in: -4.3...4.3, using: &random) }
            let levels = level < -96 ? [] : [HeardLevel(beacon: beacon, level: level.rounded(), count: 1)]
            return ScannerSecond(scanner: place.scanner, second: second, heard: levels)
        }
    }

    private func decimalLogarithm(_ value: Double) -> Double {
        // Enough for a test: halves are counted.
        var (value, result) = (value, 0.0)
        while value > 1.0001 { (value, result) = (value / 1.01, result + 0.004321) }
        return result
    }
}

// One after the other: each is nothing but work for a processor.
@Suite(.serialized) struct RoomResolverTests {
    @Test("a beacon is in the room in which it rests", arguments: [0, 1], [0, 1, 2])
    func resting(floor: Int, column: Int) throws {
        var resolver = RoomResolver(RoomMap(museum))
        var walk = Walk()
        for second in 0..<30 {
            let reports = walk.heard(at: 4 + Double(column) * 8, floor: floor, second: Int64(second))
            _ = resolver.resolve(Int64(second), reports)
        }
        let answer = try #require(resolver.answer(beacon))
        #expect(answer.room == RoomMap.Room(name: "\(floor == 0 ? "G" : "U")\(column)", floor: floor))
        #expect(answer.probability > 0.9)
        #expect(answer.since < 5)
        #expect(answer.unknown == nil)
    }

    @Test("carried through three rooms, it is told once for each, and soon")
    func carried() {
        var resolver = RoomResolver(RoomMap(museum))
        var walk = Walk()
        var changes: [(second: Int, room: String?)] = []
        for second in 0..<180 {
            // A minute in each, and eight seconds from one to the next.
            let x = 4 + 8 * min(2, Double(second / 60) + Double(max(0, second % 60 - 52)) / 8)
            for answer in resolver.resolve(Int64(second), walk.heard(at: x, second: Int64(second))) {
                guard changes.last?.room != answer.room?.name else { continue }
                changes.append((second, answer.room?.name))
            }
        }
        #expect(changes.map(\.room) == ["G0", "G1", "G2"])
        #expect(
            changes.dropFirst().allSatisfy { (52...66).contains($0.second % 60 + ($0.second % 60 < 30 ? 60 : 0)) },
            "\(changes)")
    }

    @Test("noise tells no change in ten minutes")
    func still() {
        var resolver = RoomResolver(RoomMap(museum))
        var walk = Walk()
        var changes = 0
        var last: RoomMap.Room?
        for second in 0..<600 {
            let told = resolver.resolve(Int64(second), walk.heard(at: 10, second: Int64(second))).map(\.room)
            for room in told where room != last {
                changes += 1
                last = room
            }
        }
        #expect(changes == 1)
    }

    @Test("the order in which reports come changes nothing")
    func order() {
        var first = RoomResolver(RoomMap(museum))
        var second = RoomResolver(RoomMap(museum.reversed()))
        var walk = Walk()
        for time in 0..<120 {
            let reports = walk.heard(at: Double(time) / 6, second: Int64(time))
            #expect(first.resolve(Int64(time), reports) == second.resolve(Int64(time), reports.reversed()))
        }
        #expect(first.answers == second.answers)
    }

    @Test("one that was started later soon answers the same, bit by bit")
    func restarted() throws {
        var old = RoomResolver(RoomMap(museum))
        var walk = Walk()
        for second in 0..<240 { _ = old.resolve(Int64(second), walk.heard(at: 4, second: Int64(second))) }
        var new = RoomResolver(RoomMap(museum), continuing: old.continuation)
        for second in 240..<600 {
            let reports = walk.heard(at: second < 420 ? 4 : 12, second: Int64(second))
            (_, _) = (old.resolve(Int64(second), reports), new.resolve(Int64(second), reports))
            // As it is with a broker: both use what came there last.
            if let proposal = old.proposal { new.adopt(proposal) }
            if let told = old.answer(beacon) { new.adopt(told.spot, of: beacon, in: told.room) }
            guard second >= 360 else { continue }
            try #require(old.answers == new.answers)
        }
    }

    @Test("nobody hears it any more: unknown after ten seconds")
    func silence() throws {
        var resolver = RoomResolver(RoomMap(museum))
        var walk = Walk()
        for second in 0..<30 { _ = resolver.resolve(Int64(second), walk.heard(at: 4, second: Int64(second))) }
        let nothing = museum.map { ScannerSecond(scanner: $0.scanner, second: 0) }
        var changes: [RoomAnswer] = []
        for second in 30..<50 { changes += resolver.resolve(Int64(second), nothing) }
        #expect(changes.map(\.unknown) == [.notHeard])
        #expect(changes.first?.since == 39)
    }

    @Test("the scanners that heard it are blind or gone: unknown, and why", arguments: [true, false])
    func blind(saysSo: Bool) throws {
        let far = [
            ScannerPlace(scanner: "far", room: "Annex", floor: 0, position: Position(x: 90, y: 90)),
            ScannerPlace(scanner: "near", room: "Hall", floor: 0, position: Position(x: 0, y: 0)),
        ]
        var resolver = RoomResolver(RoomMap(far))
        for second in Int64(0)..<60 {
            var reports = [ScannerSecond(scanner: "far", second: second)]
            if second < 30 {
                let heard = HeardLevel(beacon: beacon, level: -60, count: 3)
                reports.append(ScannerSecond(scanner: "near", second: second, heard: [heard]))
            } else if saysSo {
                reports.append(ScannerSecond(scanner: "near", second: second, isBlind: true))
            }
            _ = resolver.resolve(second, reports)
        }
        let answer = try #require(resolver.answer(beacon))
        #expect(answer.room == nil)
        #expect(answer.unknown == .blind)
        #expect(answer.since == 36)
    }

    @Test("an antenna that hears 12 dB less is found out, and does not cost the room")
    func weakAntenna() throws {
        var resolver = RoomResolver(RoomMap(museum))
        var walk = Walk(weakness: ["pi-01": 12])
        for second in 0..<1260 {
            let x = [4.0, 12, 20][second / 60 % 3]
            _ = resolver.resolve(Int64(second), walk.heard(at: x, second: Int64(second)))
        }
        let antennas = resolver.continuation.antennas
        let others = ["pi-00", "pi-02"].compactMap { antennas[$0] }.reduce(0, +) / 2
        #expect(try #require(antennas["pi-01"]) < others - 6)
        #expect(resolver.answer(beacon)?.room?.name == "G2")
    }

    @Test("one scanner alone does not tell of another floor")
    func oneWitness() {
        let two = museum.filter { $0.scanner == "pi-00" || $0.scanner == "pi-10" }
        var resolver = RoomResolver(RoomMap(two))
        for second in Int64(0)..<90 {
            // After a minute only the upper one is there at all.
            let level = HeardLevel(beacon: beacon, level: -60, count: 3)
            let scanner = second < 30 ? "pi-00" : "pi-10"
            let isAlone = second >= 30
            var reports = [ScannerSecond(scanner: scanner, second: second, heard: [level])]
            if !isAlone { reports.append(ScannerSecond(scanner: "pi-10", second: second)) }
            _ = resolver.resolve(second, reports)
        }
        #expect(resolver.answer(beacon)?.room?.floor != 1)
    }

    @Test("without positions, the scanner that hears it is the room")
    func withoutPositions() {
        let places = ["Kitchen", "Hall", "Attic"].map { ScannerPlace(scanner: $0, room: $0) }
        var resolver = RoomResolver(RoomMap(places))
        var changes: [String?] = []
        for second in Int64(0)..<120 {
            let reports = places.map { place in
                let isNear = place.room == (second < 60 ? "Hall" : "Attic")
                let level = HeardLevel(beacon: beacon, level: isNear ? -88 : -95, count: 1)
                return ScannerSecond(scanner: place.scanner, second: second, heard: [level])
            }
            changes += resolver.resolve(second, reports).map { $0.room?.name }
        }
        #expect(changes == ["Hall", "Attic"])
    }

    @Test("all floors of a large building are there, in larger squares")
    func largeBuilding() throws {
        var (outlines, places): ([RoomOutline], [ScannerPlace]) = ([], [])
        for floor in 0..<6 {
            for (number, corner) in [(0, 0), (40, 0), (0, 30), (40, 30)].enumerated() {
                let (x, y) = (Double(corner.0), Double(corner.1))
                let corners = [(x, y), (x + 40, y), (x + 40, y + 30), (x, y + 30)].map { Position(x: $0.0, y: $0.1) }
                let room = RoomMap.Room(name: "Hall \(number)", floor: floor)
                outlines.append(RoomOutline(room: room, corners: corners))
                places.append(
                    ScannerPlace(
                        scanner: "pi-\(floor)\(number)", room: room.name, floor: floor,
                        position: Position(x: x + 20, y: y + 15)))
            }
        }
        let map = RoomMap(places, outlines: outlines)
        #expect(map.cells.count <= RoomMap.mostCells && map.cells.count > RoomMap.mostCells * 3 / 4)
        #expect(Set(map.cells.map(\.room)) == Set(map.rooms.indices))
        for floor in [0, 5] {
            var resolver = RoomResolver(map)
            for second in Int64(0)..<30 {
                let reports = places.map { place in
                    let isNear = place.scanner == "pi-\(floor)2"
                    let heard = isNear ? [HeardLevel(beacon: beacon, level: -50, count: 3)] : []
                    return ScannerSecond(scanner: place.scanner, second: second, heard: heard)
                }
                _ = resolver.resolve(second, reports)
            }
            #expect(resolver.answer(beacon)?.room == RoomMap.Room(name: "Hall 2", floor: floor))
        }
    }

    @Test("carried about in a large building, a beacon is followed from room to room")
    func largeBuildingWalk() {
        var (outlines, places): ([RoomOutline], [ScannerPlace]) = ([], [])
        for column in 0..<40 {
            let x = Double(column) * 30
            let room = RoomMap.Room(name: "Hall \(column)", floor: 0)
            let corners = [(x, 0), (x + 30, 0), (x + 30, 40), (x, 40)].map { Position(x: $0.0, y: $0.1) }
            outlines.append(RoomOutline(room: room, corners: corners))
            places.append(
                ScannerPlace(scanner: "pi-\(column + 10)", room: room.name, position: Position(x: x + 15, y: 3)))
        }
        let map = RoomMap(places, outlines: outlines)
        var resolver = RoomResolver(map)
        var walk = Walk(places: places)
        for second in 0..<180 {
            let x = 15 + Double(min(60, max(0, second - 60)))
            _ = resolver.resolve(Int64(second), walk.heard(at: x, second: Int64(second)))
        }
        #expect(resolver.answer(beacon)?.room?.name == "Hall 2")
    }

    @Test("a plan of any size has a square for each room", arguments: [1, 200], [20.0, 9_999])
    func anyPlan(rooms: Int, size: Double) {
        let outlines = (0..<rooms).map { number in
            let corners = [(-size, -size), (size, -size), (size, size), (-size, size)]
            return RoomOutline(
                room: .init(name: "Hall \(number)", floor: number % 7),
                corners: corners.map { Position(x: $0.0 + Double(number) / 9, y: $0.1) })
        }
        let places = (0..<20).map { number in
            ScannerPlace(
                scanner: "pi-\(number)", room: "Room \(number)", floor: number % 2,
                position: Position(x: Double(number), y: 0))
        }
        let map = RoomMap(places, outlines: outlines)
        #expect(map.cells.count <= RoomMap.mostCells)
        let drawn = Set(map.cells.map { map.rooms[$0.room] })
        #expect(outlines.allSatisfy { drawn.contains($0.room) })
    }

    @Test("a beacon that was silent for a day is forgotten, and a flood of identities fills nothing")
    func limits() {
        var resolver = RoomResolver(RoomMap(museum))
        for second in Int64(0)..<3 {
            let heard = (0..<4000).map { number in
                HeardLevel(
                    beacon: BeaconID(uuid: ProximityUUID(9), major: UInt16(second), minor: UInt16(number)), level: -70,
                    count: 1)
            }
            _ = resolver.resolve(second, [ScannerSecond(scanner: "pi-00", second: second, heard: heard)])
        }
        #expect(resolver.answers.count <= RoomResolver.mostBeacons)
        #expect(resolver.answers.count > RoomResolver.mostBeacons / 2)
        for second in Int64(3)..<6 { _ = resolver.resolve(second, []) }
        _ = resolver.resolve(90_059, [])
        #expect(resolver.answers.isEmpty)
    }

    @Test("a beacon that is silent after the time was set back is unknown after ten seconds")
    func setBack() throws {
        var resolver = RoomResolver(RoomMap(museum))
        var walk = Walk()
        for second in 7200..<7230 { _ = resolver.resolve(Int64(second), walk.heard(at: 4, second: Int64(second))) }
        for second in Int64(0)..<15 {
            _ = resolver.resolve(second, museum.map { ScannerSecond(scanner: $0.scanner, second: second) })
        }
        let answer = try #require(resolver.answer(beacon))
        #expect(answer.unknown == .notHeard && answer.since == 10)
    }

    @Test(
        "a proposal for a time that is far ahead holds up no other one",
        arguments: [300, 7200, 253_402_300_799] as [Int64])
    func wildProposal(from: Int64) throws {
        var resolver = RoomResolver(RoomMap(museum))
        var walk = Walk()
        for second in Int64(0)..<60 {
            if second == 30 { resolver.adopt(AntennaProposal(second: from, antennas: ["pi-00": 9])) }
            _ = resolver.resolve(second, walk.heard(at: 4, second: second))
        }
        #expect(try #require(resolver.proposal).second == 59 + 31)
    }

    @Test("whatever comes, nothing traps")
    func anything() {
        var random = SeededGenerator(seed: 3)
        var resolver = RoomResolver(RoomMap(museum))
        let levels: [Double] = [-200, -127, -96, -60, 0, 20, .infinity, -.infinity, .nan, 1e300]
        for _ in 0..<2000 {
            let seconds: [Int64] = [.min, .min / 4, -1, 0, 1, 59, 1_700_000_000, .max]
            let second = seconds.randomElement(using: &random) ?? 0
            let reports = museum.shuffled(using: &random).prefix(3).map { place in
                ScannerSecond(
                    scanner: Bool.random(using: &random) ? place.scanner : "nobody", second: second,
                    isBlind: Bool.random(using: &random),
                    heard: [HeardLevel(beacon: beacon, level: levels.randomElement(using: &random) ?? 0, count: 0)])
            }
            for answer in resolver.resolve(second, Array(reports)) {
                #expect((0...1).contains(answer.probability))
            }
        }
        var empty = RoomResolver(RoomMap([]))
        #expect(empty.resolve(0, [ScannerSecond(scanner: "a", second: 0)]).isEmpty)
    }
}
