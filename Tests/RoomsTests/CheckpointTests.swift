import Beacon
import Rooms
import TestSupport
import Testing

/// Beacons that wander along a corridor of six rooms, and some that are switched off for a while.
private struct Corridor {
    static let places = (0..<6).map { column in
        ScannerPlace(
            scanner: "pi-\(column)", room: "Room \(column)", position: Position(x: 4 + Double(column) * 8, y: 3))
    }

    let map: RoomMap
    private var random = SeededGenerator(seed: 5)
    private var positions = (0..<12).map { Double($0) * 4 }

    init(hasPositions: Bool = true) {
        map = RoomMap(
            Self.places.map {
                ScannerPlace(scanner: $0.scanner, room: $0.room, position: hasPositions ? $0.position : nil)
            })
    }

    mutating func next(_ second: Int64) -> [ScannerSecond] {
        for index in positions.indices where index % 3 == 0 {
            positions[index] = min(47, max(0, positions[index] + .random(in: -1.5...1.5, using: &random)))
        }
        return Self.places.enumerated().map { column, place in
            let heard = positions.enumerated().compactMap { index, x -> HeardLevel? in
                let isOff = index % 4 == 1 && (100..<260).contains(second) || index == 7 && second > 50
                let distance = abs(4 + Double(column) * 8 - x) + 1.5
                let level = -50 - distance * 2.2 + .random(in: -6...6, using: &random)
                guard !isOff, level > -94 else { return nil }
                return HeardLevel(
                    beacon: BeaconID(uuid: ProximityUUID(7), major: 1, minor: UInt16(index)), level: level.rounded(),
                    count: 1)
            }
            return ScannerSecond(
                scanner: place.scanner, second: second, isBlind: column == 4 && second % 200 > 170, heard: heard)
        }
    }
}

@Suite(.serialized) struct CheckpointTests {
    @Test("whoever goes on from a checkpoint answers the same from then on, bit by bit", arguments: [true, false])
    func goingOn(hasPositions: Bool) throws {
        var corridor = Corridor(hasPositions: hasPositions)
        var first = RoomResolver(corridor.map)
        for second in 0..<Int64(900) { _ = first.resolve(second, corridor.next(second)) }
        let checkpoint = first.checkpoint(899)
        #expect(checkpoint.followed.count == 12)
        // What is silent for long may be anywhere, and takes no room.
        #expect(checkpoint.followed[7].places == nil)
        var second = try #require(RoomResolver(corridor.map, from: checkpoint))
        #expect(second.checkpoint(899) == checkpoint)
        for time in 900..<Int64(1500) {
            let reports = corridor.next(time)
            #expect(first.resolve(time, reports) == second.resolve(time, reports))
        }
        #expect(first.checkpoint(1499) == second.checkpoint(1499))
        #expect(first.answers == second.answers)
    }

    @Test("a checkpoint of another map, or with impossible numbers, is refused")
    func refused() throws {
        var corridor = Corridor()
        var resolver = RoomResolver(corridor.map)
        for second in 0..<Int64(120) { _ = resolver.resolve(second, corridor.next(second)) }
        let checkpoint = resolver.checkpoint(119)
        #expect(RoomResolver(RoomMap(Array(Corridor.places.dropLast())), from: checkpoint) == nil)
        let spoiled: [(inout RoomCheckpoint) -> Void] = [
            { $0.antennas.removeLast() }, { $0.lastAwake.append(nil) }, { $0.followed[0].room = 6 },
            { $0.followed[0].lastRoom = -1 }, { $0.followed[0].witnesses = [6] }, { $0.followed[0].lastHeard[6] = 5 },
            { $0.followed[0].places?.still[100_000] = 1 }, { $0.followed[0].places?.moving[0] = -1 },
            { $0.followed[0].places = .init(still: [:], moving: [:]) }, { $0.followed[0].level = .nan },
            { $0.followed[0].variance = -1 }, { $0.followed[0].pause = .max },
        ]
        for spoil in spoiled {
            var checkpoint = checkpoint
            spoil(&checkpoint)
            #expect(RoomResolver(corridor.map, from: checkpoint) == nil)
        }
        var later = checkpoint
        (later.followed[0].since, later.followed[0].lastSecond) = (.min, .max)
        var survivor = try #require(RoomResolver(corridor.map, from: later))
        for second in 120..<Int64(200) { _ = survivor.resolve(second, corridor.next(second)) }
    }
}
