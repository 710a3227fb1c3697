import Beacon
import Fleet
import FleetServer
import Reports
import Rooms
import TestSupport
import Testing

@Suite("The heat of dwell") struct DwellMapTests {
    private func snapshot(_ second: Int64, at position: Position?) -> FleetSnapshot {
        let answer = RoomAnswer(
            beacon: Known.globe, room: Known.hall, unknown: nil, probability: 0.9, since: 0,
            spot: position.map { Spot(position: $0, within: 2) })
        return FleetSnapshot(time: Timestamp(seconds: Double(second)), second: second, rooms: [answer])
    }

    @Test("counts seconds by square metre and hour; a long pause and a beacon without a place count for nothing")
    func counting() {
        var map = DwellMap()
        map.take(snapshot(3598, at: Position(x: 1.5, y: -0.5)))
        map.take(snapshot(3599, at: Position(x: 1.5, y: -0.5)))
        map.take(snapshot(3601, at: Position(x: 1, y: -1)))
        map.take(snapshot(3601, at: Position(x: 1, y: -1)))
        map.take(snapshot(3602, at: nil))
        map.take(snapshot(9000, at: Position(x: 1, y: -1)))
        map.take(snapshot(8000, at: Position(x: 1, y: -1)))
        let (first, second) = (
            DwellMap.Cell(hour: 0, floor: 0, x: 1, y: -1), DwellMap.Cell(hour: 1, floor: 0, x: 1, y: -1)
        )
        let due = map.due()
        #expect(due == [first: 1, second: 2])
        #expect(map.due() == [:])
        map.putBack(due)
        #expect(map.seconds == due)
    }

    @Test("is summed up over hours, and goes when it is too old")
    func store() throws {
        let folder = try TemporaryFolder()
        let store = try RoomStore(folder: "\(folder)")
        let cells = (0..<3).map { DwellMap.Cell(hour: $0, floor: -1, x: 2, y: 3) }
        for _ in 0..<2 { try store.write([], dwell: [cells[0]: 5, cells[1]: 7, cells[2]: 11]) }
        func sum(_ since: ReportMoment) throws -> [Int64] {
            let window = try ReportWindow(since: since, until: nil, now: Timestamp(seconds: 7300))
            return try RoomStore.dwell(in: "\(folder)", window).map(\.value)
        }
        #expect(try sum(.all) == [46])
        #expect(try sum(.ago(seconds: 3000)) == [36])
        while try store.tidyPortion(before: Timestamp(seconds: 7200)) {}
        #expect(try sum(.all) == [22])
    }
}
