import Beacon
import Rooms
import TestSupport
import Testing

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
private let cellar = RoomMap.Room(name: "Cellar", floor: 0)

/// What three scanners hear of the beacon in each of these seconds; nil for nothing.
private func seconds(_ range: Range<Int64>, _ levels: [String: Double?], seed: UInt64 = 1) -> [(Int64, [ScannerSecond])]
{
    var random = SeededGenerator(seed: seed)
    return range.map { second in
        (
            second,
            levels.sorted { $0.key < $1.key }.map { scanner, level in
                let heard = level.map {
                    HeardLevel(beacon: beacon, level: $0 + .random(in: -3...3, using: &random), count: 2)
                }
                return ScannerSecond(scanner: scanner, second: second, heard: [heard].compactMap(\.self))
            }
        )
    }
}

private func lesson(_ range: Range<Int64>, _ levels: [String: Double?]) -> RoomLesson {
    var lesson = RoomLesson(beacon)
    for (_, reports) in seconds(range, levels) { for report in reports { lesson.take(report) } }
    return lesson
}

@Suite struct RoomLessonTests {
    @Test("half a minute is needed")
    func short() {
        #expect(lesson(0..<25, ["pi-1": -70]).room(cellar, level: nil, antennas: [:]) == nil)
        #expect(lesson(0..<200, ["pi-1": nil]).room(cellar, level: nil, antennas: [:]) == nil)
        #expect(lesson(0..<30, ["pi-1": -70]).room(cellar, level: nil, antennas: [:]) != nil)
    }

    @Test("seconds at both ends count as they are, not as a whole step", arguments: [
        (0..<24, 24), (3..<33, 30), (4..<6, 2), (7..<8, 1), (0..<120, 120),
    ] as [(Range<Int64>, Int)])
    func partSteps(range: Range<Int64>, counted: Int) {
        #expect(lesson(range, ["pi-1": -70]).seconds == counted)
        #expect(lesson(range, ["pi-1": nil]).seconds == 0)
    }

    @Test("a spot has what is lost on the way, without the antennas, and nothing where nothing is heard")
    func losses() throws {
        let lesson = lesson(0..<120, ["pi-1": -70, "pi-2": -85, "pi-3": nil])
        let taught = try #require(lesson.room(cellar, level: -60, antennas: ["pi-2": 5]))
        #expect(taught.spots.count == TaughtRoom.mostSpots)
        for spot in taught.spots {
            let (first, second) = (try #require(spot["pi-1"] ?? nil), try #require(spot["pi-2"] ?? nil))
            #expect(abs(first - 10) < 3)
            #expect(abs(second - 30) < 3)
            #expect(spot["pi-3"] == .some(.none))
        }
    }

    @Test("hours, and a flood of scanners, are cut off")
    func bounds() throws {
        var lesson = RoomLesson(beacon)
        for second in 0..<20_000 as Range<Int64> {
            let heard = [HeardLevel(beacon: beacon, level: -70, count: 1)]
            lesson.take(ScannerSecond(scanner: "pi-\(second % 3000)", second: second, heard: heard))
        }
        #expect(lesson.seconds == 600)
        #expect(try #require(lesson.room(cellar, level: nil, antennas: [:])).spots.count <= TaughtRoom.mostSpots)
        var crowd = RoomLesson(beacon)
        for number in 0..<2 * RoomMap.mostScanners {
            let heard = [HeardLevel(beacon: beacon, level: -70, count: 1)]
            crowd.take(ScannerSecond(scanner: "pi-\(number)", second: 0, heard: heard))
        }
        #expect(crowd.heard.count == RoomMap.mostScanners)
    }

    /// Hall and Cellar are heard by the same two scanners, in the Hall and in the Shop, alike enough that nobody could
    /// tell the Cellar from them without a lesson.
    @Test("a room without a scanner is told once it is taught", arguments: [true, false])
    func taught(hasPositions: Bool) throws {
        let places = [("pi-1", "Hall", 0.0), ("pi-2", "Shop", 10.0), ("pi-3", "Tower", 20.0)].map { scanner, room, x in
            ScannerPlace(scanner: scanner, room: room, position: hasPositions ? Position(x: x, y: 0) : nil)
        }
        let there: [String: Double?] = ["pi-1": -74, "pi-2": -75, "pi-3": nil]
        let taught = try #require(lesson(0..<120, there).room(cellar, level: nil, antennas: [:]))
        for (lessons, isTold) in [([], false), ([taught], true)] as [([TaughtRoom], Bool)] {
            var resolver = RoomResolver(RoomMap(places, taught: lessons))
            for (second, reports) in seconds(1000..<1060, there, seed: 2) { _ = resolver.resolve(second, reports) }
            #expect((resolver.answer(beacon)?.room == cellar) == isTold)
            // What is beside a scanner stays where it is.
            for (second, reports) in seconds(1060..<1120, ["pi-1": -60, "pi-2": -85, "pi-3": nil]) {
                _ = resolver.resolve(second, reports)
            }
            #expect(resolver.answer(beacon)?.room?.name == "Hall")
        }
    }

    @Test("a floor without any scanner can be taught")
    func floor() throws {
        let attic = RoomMap.Room(name: "Attic", floor: 1)
        let places = [("pi-1", 0.0), ("pi-2", 10.0), ("pi-3", 20.0)].map { scanner, x in
            ScannerPlace(scanner: scanner, room: scanner, position: Position(x: x, y: 0))
        }
        let there: [String: Double?] = ["pi-1": -80, "pi-2": -80, "pi-3": -80]
        let taught = try #require(lesson(0..<120, there).room(attic, level: nil, antennas: [:]))
        var resolver = RoomResolver(RoomMap(places, taught: [taught]))
        for (second, reports) in seconds(1000..<1300, there, seed: 2) { _ = resolver.resolve(second, reports) }
        #expect(resolver.answer(beacon)?.room == attic)
    }
}
