import Beacon
import Foundation
import Reports
import TestSupport
import Testing
import Text

private let hall = ReportedRoom(name: "Hall", floor: 0)
private let shop = ReportedRoom(name: "Shop", floor: 0)
private let whale = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 1)
private let globe = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)

private func stay(_ beacon: BeaconID, _ room: ReportedRoom, _ from: Double, _ to: Double) -> RoomStay {
    RoomStay(beacon: beacon, room: room, span: Timestamp(seconds: from)...Timestamp(seconds: to))
}

private let day = Timestamp(seconds: 0)...Timestamp(seconds: 86_400)

@Suite struct RoomReportTests {
    private func report(_ stays: [RoomStay], names: [BeaconID: String] = [:]) -> RoomReport {
        RoomReport(of: stays, span: day, names: KnownBeacons(names: names), localTime: .utc)
    }

    @Test("dwell and visits are counted by room and by beacon")
    func dwell() throws {
        let report = report([
            stay(whale, hall, 0, 3600), stay(whale, shop, 3600, 5400), stay(whale, hall, 5430, 5490),
            stay(globe, hall, 1800, 3600),
        ])
        let room = try #require(report.rooms.first)
        #expect(room.room == hall)
        #expect(room.visits.seconds == 3600 + 60 + 1800)
        #expect((room.visits.visits.count, room.beacons) == (3, 2))
        #expect(room.visits.medianSeconds == 1800)
        #expect(room.visits.longestSeconds == 3600)
        #expect(report.beacons.map(\.id) == [whale, globe])
        #expect(report.beacons[0].rooms.map(\.room) == [hall, shop])
        #expect(report.beacons[0].rooms.map(\.visits.seconds) == [3660, 1800])
    }

    @Test("dwell is shared out to the hours of the day, and presence to the buckets of the span")
    func hours() throws {
        let room = try #require(report([stay(whale, hall, 3000, 9000), stay(globe, hall, 7200, 9000)]).rooms.first)
        #expect(Array(room.secondsByHour[..<4]) == [600, 3600, 3600, 0])
        #expect(room.secondsByHour.reduce(0, +) == 7800)
        #expect(Array(room.visits.byHour[..<4]) == [1, 0, 1, 0])
        #expect(room.presence.count == 96)
        #expect(Array(room.presence[..<11].map { ($0 * 100).rounded() / 100 }) == [0, 0, 0, 0.67, 1, 1, 1, 1, 2, 2, 0])
    }

    @Test("only the part inside the span counts")
    func clipping() throws {
        let report = report([
            stay(whale, hall, -7200, 600), stay(globe, shop, 86_000, 90_000), stay(globe, hall, 90_000, 91_000),
        ])
        #expect(report.rooms.map(\.visits.seconds) == [600, 400])
        // It did not begin in any hour of this day.
        #expect(report.rooms[0].visits.byHour.reduce(0, +) == 0)
    }

    @Test("ways lead from room to room within a minute; who was away for longer has not gone that way")
    func ways() {
        let report = report([
            stay(whale, hall, 0, 100), stay(whale, shop, 110, 200), stay(whale, hall, 200, 300),
            stay(whale, shop, 361, 400),
            stay(globe, hall, 0, 50), stay(globe, shop, 50, 60), stay(globe, shop, 70, 80),
        ])
        #expect(
            report.transitions.map { [$0.from.name, $0.to.name, "\($0.count)"] } == [
                ["Hall", "Shop", "2"], ["Shop", "Hall", "1"],
            ])
    }

    @Test("some beacons of it are a report of their own")
    func filter() throws {
        let all = report(
            [stay(whale, hall, 0, 100), stay(globe, shop, 0, 50), stay(globe, hall, 50, 60)],
            names: [globe: "Star Globe"])
        let one = try all.only(BeaconFilter([try #require(BeaconQuery(argument: "star globe"))]), localTime: .utc)
        #expect(one.beacons.map(\.id) == [globe])
        #expect(one.rooms.map(\.visits.seconds) == [50, 10])
        #expect(throws: BeaconQuery.Failure.self) {
            try all.only(BeaconFilter([try #require(BeaconQuery(argument: "9.9"))]), localTime: .utc)
        }
    }

    @Test("every format has the rooms, also of hostile names", arguments: ReportFormat.allCases)
    func formats(format: ReportFormat) throws {
        let nasty = ReportedRoom(name: "</title><script>\"', \u{202E}غزال", floor: -1)
        let report = report(
            [stay(whale, hall, 0, 90), stay(whale, nasty, 100, 200), stay(whale, hall, 7300, 7400)],
            names: [whale: String(repeating: "w", count: 200)])
        let text = report.rendered(as: format, localTime: .utc)
        #expect(text.contains("Hall"))
        #expect(text.contains("غزال"))
        if format == .html { #expect(!text.contains("<script")) }
        #expect(!text.contains("\u{202E}") || format == .csv)
        if format == .json {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let rooms = try #require(object["rooms"] as? [[String: Any]])
            #expect(rooms.map { $0["dwell_s"] as? Int } == [190, 100])
            #expect(object["time_zone"] as? String == "UTC")
            let beacons = try #require(object["beacons"] as? [[String: Any]])
            #expect((beacons.first?["stays"] as? [Any])?.count == 3)
        }
        if format == .csv { #expect(text.split(separator: "\n").count == 3) }
    }

    @Test("a page of many rooms says how many rooms, ways and rows it leaves out")
    func unlisted() {
        let beacons = (UInt16(1)...4).map { BeaconID(uuid: ProximityUUID(7), major: 1, minor: $0) }
        func page(rooms: Int) -> String {
            report(
                (0..<rooms).flatMap { number in
                    let room = ReportedRoom(name: "Room \(number)", floor: 0)
                    let start = Double(number) * 100
                    return beacons.map { stay($0, room, start, start + 60) }
                }
            ).rendered(as: .html, localTime: .utc)
        }
        let html = page(rooms: 520)
        #expect(html.contains("20 rooms with a shorter dwell are not listed; CSV and JSON have them."))
        #expect(html.contains("19 less frequent ways are not listed; JSON has them."))
        #expect(html.contains("80 further rows are not listed; CSV and JSON have them."))
        #expect(html.contains("The 20 rooms with the longest dwell."))
        #expect(page(rooms: 501).contains("1 room with a shorter dwell is not listed; CSV and JSON have it."))
        #expect(!page(rooms: 20).contains("not listed") && !page(rooms: 20).contains("20 rooms with"))
    }

    @Test("nothing is told as nothing", arguments: [ReportFormat.text, .html])
    func nothing(format: ReportFormat) {
        #expect(report([]).rendered(as: format, localTime: .utc).contains("No beacon was in any room"))
    }
}
