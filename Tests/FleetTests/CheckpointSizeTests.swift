import Beacon
import Fleet
import FleetFormat
import Rooms
import Testing

@Suite struct CheckpointSizeTests {
    /// Twenty scanners, 8 m apart.
    private static let places = (0..<20).map { number in
        ScannerPlace(
            scanner: "pi-\(number + 10)", room: "Room \(number)",
            position: Position(x: Double(number % 5) * 8, y: Double(number / 5) * 8))
    }

    /// Each beacon is heard by the scanner of its room and by the next one.
    private func reports(_ second: Int64, beacons: Range<Int>) -> [ScannerSecond] {
        Self.places.enumerated().map { index, place in
            let heard = beacons.filter { $0 % 20 == index || ($0 + 1) % 20 == index }.map { number in
                HeardLevel(
                    beacon: BeaconID(uuid: ProximityUUID(7), major: 1, minor: UInt16(number)),
                    level: number % 20 == index ? -62 : -74, count: 3)
            }
            return ScannerSecond(scanner: place.scanner, second: second, heard: heard)
        }
    }

    @Test("a checkpoint of 1500 silent beacons fits, and whoever goes on from it answers the same")
    func silence() throws {
        let map = RoomMap(Self.places)
        var first = RoomResolver(map)
        for second in Int64(55)..<120 {
            _ = first.resolve(second, reports(second, beacons: second < 59 ? 0..<1500 : 0..<0))
        }
        let checkpoint = first.checkpoint(119)
        let kept = checkpoint.followed.count { $0.places != nil }
        #expect(checkpoint.followed.count == 1500 && kept > 100 && kept < 1500)
        let parts = CheckpointMessage.parts(checkpoint)
        #expect(!parts.isEmpty)
        var collector = CheckpointCollector()
        for part in parts { collector.take(try CheckpointMessage.part(json: Array(part.utf8))) }
        let read = try #require(collector.checkpoint)
        #expect(read == checkpoint)
        var second = try #require(RoomResolver(map, from: read))
        for time in Int64(120)..<180 {
            let reports = reports(time, beacons: time < 125 ? 1400..<1500 : 0..<0)
            #expect(first.resolve(time, reports) == second.resolve(time, reports))
        }
        #expect(first.checkpoint(179) == second.checkpoint(179))
    }

    @Test("where a checkpoint does not fit, people are told once, and again when that has changed")
    func notice() {
        var notice = CheckpointNotice()
        var lines: [Int] = []
        for parts in [3, 0, 0, 5, 0] {
            notice.look(parts: parts, beacons: 5000)
            lines.append(notice.take().count)
        }
        #expect(lines == [0, 1, 0, 0, 1])
    }
}
