import Beacon
import FleetServer
import Foundation
import GRDB
import Health
import History
import Reports
import TestSupport
import Testing
import Text

private let whale = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 1)
private let globe = BeaconID(uuid: ProximityUUID(8), major: 65535, minor: 0)

private func stay(_ beacon: BeaconID, _ room: String, _ from: Double, _ to: Double) -> RoomStay {
    RoomStay(
        beacon: beacon, room: ReportedRoom(name: room, floor: -1),
        span: Timestamp(seconds: from)...Timestamp(seconds: to))
}

@Suite("The history of rooms") struct RoomStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func stays(most: Int = RoomStore.mostStays) throws -> [RoomStay] {
        try report(most: most).beacons.flatMap(\.stays)
    }

    private func report(most: Int = RoomStore.mostStays) throws -> RoomReport {
        let window = try ReportWindow(since: .all, until: nil, now: Timestamp(seconds: 10_000))
        return try RoomStore.report(in: "\(folder)", window, localTime: .utc, mostStays: most)
    }

    @Test("is what was written, also after a restart and while it is written")
    func restart() throws {
        let written = [stay(whale, "قاعة", 1000, 1060), stay(globe, "Shop", 1030, 1090)]
        let store = try RoomStore(folder: "\(folder)")
        try store.write(written)
        #expect(try stays() == written)
        store.close()
        #expect(try stays() == written)
        let again = try RoomStore(folder: "\(folder)")
        #expect(try again.newest() == Timestamp(seconds: 1090))
        // The same stay went on.
        try again.write([stay(whale, "قاعة", 1000, 2000)])
        #expect(try stays() == [stay(whale, "قاعة", 1000, 2000), stay(globe, "Shop", 1030, 1090)])
    }

    @Test(
        "a report until before the first stay, or of nothing, is empty, and says when the history begins",
        arguments: [
            (nil, 999.5), (nil, 10_000.25), (1000.0, 999.5), (1000.0, 1000.0),
        ] as [(first: Double?, until: Double)])
    func before(first: Double?, until: Double) throws {
        let store = try RoomStore(folder: "\(folder)")
        if let first { try store.write([stay(whale, "Hall", first + 1, first + 60)]) }
        let window = try ReportWindow(since: .all, until: nil, now: Timestamp(seconds: until))
        let report = try RoomStore.report(in: "\(folder)", window, localTime: .utc)
        #expect(report.beacons.isEmpty)
        let begins = first == nil ? "No beacon was in any room" : "the history begins later, at 1970-01-01 00:16"
        for format in [ReportFormat.text, .html] {
            let text = report.rendered(as: format, localTime: .utc)
            #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(begins), "\(text)")
        }
        #expect((report.beginningNotice == nil) == (first == nil))
        let nobody = try #require(BeaconQuery(argument: "9.9"))
        if first != nil { #expect(try report.only(BeaconFilter([nobody])) == report) }
        #expect(try RoomStore.dwell(in: "\(folder)", window).isEmpty)
    }

    @Test("of too much the oldest is removed, whether stays or dwell")
    func large() throws {
        let hour = 3600.0
        let store = try RoomStore(folder: "\(folder)", mostBytes: 2 << 20)
        for day in 0..<20 {
            let begin = Double(day) * 24 * hour
            try store.write(
                (0..<4000).map { stay(whale, "Room \($0 % 10)", begin + Double($0), begin + Double($0) + 1) },
                dwell: Dictionary(
                    uniqueKeysWithValues: (0..<4000).map {
                        (DwellMap.Cell(hour: Int64(day * 24), floor: 0, x: $0, y: 0), 5)
                    }))
        }
        var portions = 0
        while try store.tidyPortion(before: nil) { portions += 1 }
        #expect(portions > 2)
        let now = Timestamp(seconds: 20 * 24 * hour)
        let window = try ReportWindow(since: .all, until: nil, now: now)
        let report = try RoomStore.report(in: "\(folder)", window, localTime: .utc)
        // Of both the newest days are left.
        let lastDay = Timestamp(seconds: 19 * 24 * hour)
        #expect(report.beacons.flatMap(\.stays).count { $0.span.lowerBound >= lastDay } == 4000)
        let newest = try ReportWindow(since: .at(lastDay), until: nil, now: now)
        #expect(try RoomStore.dwell(in: "\(folder)", newest).count == 4000)
    }

    @Test("what is too old is removed, in portions")
    func old() throws {
        let store = try RoomStore(folder: "\(folder)")
        try store.write((0..<6000).map { stay(whale, "Room \($0 % 100)", Double($0), Double($0)) })
        var portions = 0
        while try store.tidyPortion(before: Timestamp(seconds: 5990)) { portions += 1 }
        #expect(portions == 2)
        #expect(try stays().count == 10)
        #expect(try report().rooms.count == 10)
    }

    @Test("names that no stay has any more are removed once a day: looking for them reads all stays")
    func names() throws {
        let store = try RoomStore(folder: "\(folder)")
        try store.write([stay(whale, "Hall", 0, 10), stay(globe, "Shop", 0, 20), stay(globe, "Café", 0, 90_000)])
        let database = try DatabaseQueue(path: RoomStore.file(in: "\(folder)"))
        func rooms() throws -> Int? { try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM room") } }
        while try store.tidyPortion(before: Timestamp(seconds: 5)) {}
        try store.write([stay(whale, "Hall", 0, 10)])
        while try store.tidyPortion(before: Timestamp(seconds: 15)) {}
        #expect(try rooms() == 2)
        while try store.tidyPortion(before: Timestamp(seconds: 86_401)) {}
        #expect(try rooms() == 1)
    }

    @Test("the newest second up to a time is of a stay that lasts then, or the end of the last one before")
    func newestUpTo() throws {
        let store = try RoomStore(folder: "\(folder)")
        #expect(try store.newest(upTo: Timestamp(seconds: 50)) == nil)
        try store.write([stay(whale, "Hall", 0, 100), stay(globe, "Hall", 9000, 9100)])
        #expect(try store.newest(upTo: Timestamp(seconds: 50.5)) == Timestamp(seconds: 50))
        #expect(try store.newest(upTo: Timestamp(seconds: 5000)) == Timestamp(seconds: 100))
        #expect(try store.newest() == Timestamp(seconds: 9100))
    }

    private func problem(_ beacon: BeaconID, since: Int64, last: Double) -> ReportedProblem {
        ReportedProblem(
            beacon: beacon, problem: HealthProblem(kind: .weak, since: since, evidence: "12 dB weaker"),
            last: Timestamp(seconds: last))
    }

    @Test("what is wrong with a beacon lasts as long as it is written, and is removed when it is too old")
    func problems() throws {
        let store = try RoomStore(folder: "\(folder)")
        try store.write([stay(whale, "Hall", 0, 100)], problems: [problem(globe, since: 100, last: 160)])
        try store.write([], problems: [problem(globe, since: 100, last: 220), problem(whale, since: 5000, last: 9990)])
        #expect(try report().health.map(\.beacon) == [whale, globe])
        #expect(try report().health.map(\.seconds) == [4990, 120])
        #expect(try report().health.map(\.isLasting) == [true, false])
        while try store.tidyPortion(before: Timestamp(seconds: 300)) {}
        #expect(try report().health.map(\.beacon) == [whale])
        #expect(try report().beacons.isEmpty)
    }

    @Test("a history that knows of no problems is read, and written from then on")
    func older() throws {
        let store = try RoomStore(folder: "\(folder)")
        try store.write([stay(whale, "Hall", 0, 100)])
        store.close()
        let database = try DatabaseQueue(path: RoomStore.file(in: "\(folder)"))
        try database.write {
            try $0.execute(sql: "DROP TABLE problem; DELETE FROM grdb_migrations WHERE identifier = '2'")
        }
        try database.close()
        #expect(try report().health.isEmpty)
        #expect(try stays().count == 1)
        try RoomStore(folder: "\(folder)").write([], problems: [problem(whale, since: 100, last: 160)])
        #expect(try report().health.count == 1)
    }

    @Test("a report leaves out the earliest of too many stays, and says so")
    func many() throws {
        let store = try RoomStore(folder: "\(folder)")
        try store.write((0..<20).map { stay(whale, "Hall", Double($0 * 100), Double($0 * 100 + 50)) })
        let report = try report(most: 5)
        #expect(report.isCut)
        #expect(report.beacons.first?.stays.first?.span.lowerBound == Timestamp(seconds: 1500))
        #expect(try !self.report(most: 20).isCut)
    }

    @Test("a damaged file is moved aside, and a new one begins")
    func damage() throws {
        try Data("this is no database, but long enough to look like one".utf8)
            .write(to: URL(fileURLWithPath: RoomStore.file(in: "\(folder)")))
        let store = try RoomStore(folder: "\(folder)")
        #expect(store.movedAside == RoomStore.file(in: "\(folder)") + ".damaged")
        try store.write([stay(whale, "Hall", 0, 1)])
        #expect(try stays().count == 1)
    }

    @Test("no history is told as such")
    func missing() throws {
        let error = try #require(throws: HistoryError.self) { try stays() }
        #expect("\(error)".contains("beacon-fleet run --state"))
    }

    @Test("a database without a history of rooms is told as such")
    func empty() throws {
        try Data().write(to: URL(fileURLWithPath: RoomStore.file(in: "\(folder)")))
        let error = try #require(throws: HistoryError.self) { try stays() }
        #expect("\(error)".contains("this is no history of rooms") && "\(error)".contains("beacon-fleet run --state"))
    }

    @Test("a database that this user cannot open is said to be unreadable, and who can read it")
    func unreadable() throws {
        // Root opens every file, but nobody opens a socket.
        let socket = try SilentSocket()
        try FileManager.default.createSymbolicLink(
            atPath: RoomStore.file(in: "\(folder)"), withDestinationPath: socket.path)
        let error = try #require(throws: HistoryError.self) { try stays() }
        #expect("\(error)".contains("cannot be read") && "\(error)".contains("the user of beacon-fleet run"))
    }

    @Test("a folder that cannot be written is told with its name")
    func unwritable() throws {
        let error = try #require(throws: HistoryError.self) { try RoomStore(folder: "/proc/none") }
        #expect("\(error)".contains("/proc/none"))
    }
}
