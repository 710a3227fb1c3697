import Beacon
import Fleet
import FleetFormat
import Rooms
import TestSupport
import Testing

private let first = ProximityUUID(7)
private let second = ProximityUUID(9)

@Suite struct MessageTests {
    private func row(_ uuid: ProximityUUID, _ minor: UInt16, _ level: Double) -> LevelsMessage.Row {
        .init(beacon: BeaconID(uuid: uuid, major: 1, minor: minor), level: level, variance: 12.1, count: 9, age: 0.1)
    }

    @Test("levels are read as they are written, grouped by UUID")
    func levels() throws {
        let message = LevelsMessage(
            second: 1_767_225_600, isBlind: false, clock: -12,
            rows: [row(first, 2, -63.4), row(first, 7, -80), row(second, 1, -59.5)])
        #expect(message.json.hasPrefix(#"{"second":1767225600,"state":"ok","clock_ms":-12,"beacons":{"#))
        #expect(message.json.contains("[[1,2,-63.4,12.1,9,0.1],[1,7,-80.0,12.1,9,0.1]]"))
        #expect(try LevelsMessage(json: Array(message.json.utf8)) == message)
        let nothing = LevelsMessage(second: 1, isBlind: true, rows: [])
        #expect(try LevelsMessage(json: Array(nothing.json.utf8)) == nothing)
    }

    @Test("of too many rows the strongest are written")
    func manyRows() throws {
        let rows = (0..<3000).map { row(first, UInt16($0), -100 + Double($0 % 50)) }
        let read = try LevelsMessage(json: Array(LevelsMessage(second: 1, isBlind: false, rows: rows).json.utf8))
        #expect(read.rows.count == LevelsMessage.mostRows)
        #expect(read.rows.allSatisfy { $0.level > -70 })
    }

    @Test("a clock that is wrong is corrected, and a little wrong changes no second", arguments: [
        (nil, 100), (0, 100), (-300, 100), (499, 100), (-501, 99), (10_000, 110), (-90_000, 10),
    ] as [(Int?, Int64)])
    func clock(milliseconds: Int?, expected: Int64) {
        #expect(LevelsMessage(second: 100, isBlind: false, clock: milliseconds, rows: []).correctedSecond == expected)
    }

    @Test("what is no message of levels is refused, and says why", arguments: [
            ("", "not JSON"), ("[]", "levels: the message has another type"), ("{}", "is missing"),
            (#"{"second":1,"state":"ok"}"#, "beacons is missing"),
        (#"{"second":1,"state":"ok","beacons":{"x":[]}}"#, "UUID"),
        (#"{"second":1,"state":"ok","beacons":{"636f3f8f-6491-4bee-95f7-d8cc64a863b5":[[1,2,3]]}}"#, "row"),
        (#"{"second":1,"state":"ok","beacons":{"636f3f8f-6491-4bee-95f7-d8cc64a863b5":[[70000,2,-60,1,1,0]]}}"#, "row"),
        (#"{"second":1,"state":"ok","beacons":{"636f3f8f-6491-4bee-95f7-d8cc64a863b5":[[1,2,-60,1,1e300,0]]}}"#, "row"),
        (String(repeating: "[", count: 200_000), "larger"), (String(repeating: "[", count: 100_000), "no message"),
    ])
    func bad(json: String, reason: String) {
        let error = #expect(throws: FleetMessageError.self) { try LevelsMessage(json: Array(json.utf8)) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("a scanner's state is read with and without a place")
    func scanner() throws {
        let json =
            #"{"time":"2026-01-01T00:00:00Z","scanner":"ok","sources":[],"room":"Hall 2","floor":1,"x":3.5,"y":2,"version":"1.2","revision":7,"clock_ms":-3}"#
        let message = try ScannerMessage(json: Array(json.utf8), host: "pi-1")
        #expect(
            message.place == ScannerPlace(scanner: "pi-1", room: "Hall 2", floor: 1, position: Position(x: 3.5, y: 2)))
        #expect(message.revision == 7)
        #expect(message.clock == -3)
        let plain = try ScannerMessage(json: Array(#"{"scanner":"blind","room":null}"#.utf8), host: "pi-2")
        #expect(plain.isBlind)
        #expect(plain.place == nil)
    }

    @Test("a scanner's state says what it sends; another beacon than a scanner's is none")
    func scannersBeacon() throws {
        func place(_ beacon: String) throws -> ScannerPlace? {
            let json = #"{"scanner":"ok","room":"Hall 2","beacon":\#(beacon)}"#
            return try ScannerMessage(json: Array(json.utf8), host: "pi-1").place
        }
        let id = FleetBeacon.identity(of: "pi-1")
        #expect(try place(#""\#(id)""#)?.beacon == id)
        for other in ["null", #""""#, #""x""#, #""7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/1/7""#] {
            #expect(try place(other) == ScannerPlace(scanner: "pi-1", room: "Hall 2"))
        }
    }

    @Test("how a resolver hears scanners is read as it is written, also with the longest names")
    func hearing() throws {
        let names = ["pi-1", "ماسح", String(repeating: "x", count: FleetTopics.longestName)]
        let message = HearingMessage(
            second: 1_767_225_600,
            scanners: Dictionary(
                uniqueKeysWithValues: names.map { ($0, .init(second: 5, clock: nil, late: 1, ahead: 2, dropped: 3)) }))
        #expect(try HearingMessage(json: Array(message.json.utf8)) == message)
        for json in ["{}", #"{"time":"x","scanners":{}}"#, #"{"time":"2026-01-01T00:00:00Z","scanners":[]}"#] {
            #expect(throws: FleetMessageError.self) { try HearingMessage(json: Array(json.utf8)) }
        }
    }

    @Test("clocks are told as people say it", arguments: [
            (0, "right"), (-99, "right"), (10_000, "10.0 s behind"), (-2_340, "2.3 s ahead"),
            (3_600_000, "60.0 min behind"),
        (-86_400_000, "24.0 h ahead"), (1_000_000_000_000, "11574.1 days behind"),
    ])
    func clockTexts(correction: Int, expected: String) {
        #expect(clockText(correction) == expected)
    }

    @Test("an answer is what the next resolver goes on with", arguments: [RoomMap.Room(name: "قاعة 2", floor: -1), nil])
    func room(room: RoomMap.Room?) throws {
        let beacon = BeaconID(uuid: first, major: 1, minor: 2)
        let answer = RoomAnswer(
            beacon: beacon, room: room, unknown: room == nil ? .blind : nil, probability: room == nil ? 0 : 0.95,
            since: 1_767_225_600)
        let json = RoomMessage(answer, level: -58.5).json
        #expect(
            try RoomMessage.known(json: Array(json.utf8))
                == RoomContinuation.Known(
                    beacon: beacon, room: room, unknown: room == nil ? .blind : nil, since: 1_767_225_600, level: -58.5,
                    probability: room == nil ? 0 : 0.95))
    }

    @Test("an answer with a place keeps it, and one without has null")
    func spot() throws {
        let beacon = BeaconID(uuid: first, major: 1, minor: 2)
        let spot = Spot(position: Position(x: 3.5, y: -2), within: 2.5)
        let answer = RoomAnswer(
            beacon: beacon, room: .init(name: "Hall", floor: 0), unknown: nil, probability: 0.9, since: 0, spot: spot)
        let json = RoomMessage(answer, level: -58.5).json
        #expect(json.contains(#""x":3.5,"y":-2.0,"within":2.5"#))
        #expect(try RoomMessage.known(json: Array(json.utf8)).spot == spot)
        let without = RoomAnswer(beacon: beacon, room: answer.room, unknown: nil, probability: 0.9, since: 0)
        #expect(RoomMessage(without, level: -58.5).json.contains(#""x":null,"y":null,"within":null"#))
    }

    @Test("what was taught is read as it was written")
    func taught() throws {
        let taught = TaughtRoom(
            room: .init(name: "قاعة \"2\"", floor: -1), spots: [["pi-1": 14.5, "pi-2": nil], ["pi-1": 20]])
        #expect(try TaughtRoomMessage.taught(json: Array(TaughtRoomMessage.json(taught).utf8)) == taught)
    }

    @Test("a plan is read as it was written")
    func plan() throws {
        let outline = RoomOutline(
            room: .init(name: "Hall", floor: 2),
            corners: [(0, 0), (8.25, 0), (8.25, -6)].map { Position(x: $0.0, y: $0.1) })
        #expect(try PlanMessage.outlines(json: Array(PlanMessage.json([outline]).utf8)) == [outline])
    }

    @Test("what is no lesson and no plan is refused with a reason", arguments: [
        #"{"room":"","spots":[{"a":1}]}"#, #"{"room":"a","spots":[]}"#, #"{"room":"a","spots":[{"a":900}]}"#, "[]",
            #"{"rooms":[{"room":"a","corners":[[0,0],[1,1]]}]}"#,
            #"{"rooms":[{"room":"a","corners":[[0,0],[1,1],[1e9,0]]}]}"#,
        #"{"rooms":[{"room":"a","corners":[[0,0],[1,1],[1]]}]}"#,
    ])
    func refused(json: String) {
        #expect(throws: FleetMessageError.self) { _ = try TaughtRoomMessage.taught(json: Array(json.utf8)) }
        #expect(throws: FleetMessageError.self) { _ = try PlanMessage.outlines(json: Array(json.utf8)) }
    }

    @Test("rooms of one name on two floors have two topics, which are plain")
    func taughtTopics() {
        let topics = [("قاعة/2#+", 0), ("قاعة/2#+", 1), ("Hall", 0)].map {
            FleetTopics(prefix: "a").taught(.init(name: $0.0, floor: $0.1))
        }
        #expect(Set(topics).count == 3)
        #expect(topics.allSatisfy { !$0.dropFirst("a/fleet/taught/".count).contains { !$0.isHexDigit } })
    }

    @Test("each topic says what its messages are", arguments: [
        ("museum/beacond/pi-1/levels", .levels(host: "pi-1")), ("museum/beacond/pi-1/scanner", .scanner(host: "pi-1")),
        ("museum/beacond/rooms/\(first)/1/2", .room(BeaconID(uuid: first, major: 1, minor: 2))),
        ("museum/beacond/rooms/a/1/2", nil), ("museum/beacond/fleet/antennas", .antennas),
        ("museum/beacond/fleet/plan", .plan), ("museum/beacond/fleet/taught/a1", .taught(hash: "a1")),
        ("museum/beacond/fleet/resolvers/a", .resolver(name: "a")), ("museum/beacond/pi-1/nearest", nil),
        ("museum/beacond/pi-1/clock", .clock(host: "pi-1")), ("museum/beacond/pi-1/clock/answer", nil),
        ("museum/beacond/fleet/resolvers/a/scanners", .hearing(resolver: "a")),
        ("museum/beacond/\(String(repeating: "x", count: 300))/levels", nil),
        ("museum/beacond/pi-1/ranging/a/1/2", nil), ("museum/other/pi-1/levels", nil), ("museum/beacond", nil),
    ] as [(String, FleetTopics.Message?)])
    func topics(topic: String, message: FleetTopics.Message?) {
        #expect(FleetTopics(prefix: "museum/beacond").message(topic) == message)
    }

    @Test("any bytes are read or refused")
    func anything() {
        var random = SeededGenerator(seed: 5)
        let seed = Array(LevelsMessage(second: 1, isBlind: false, rows: [row(first, 2, -63.4)]).json.utf8)
        var read = 0
        for _ in 0..<5000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 32...126, using: &random)
            }
            do {
                let message = try LevelsMessage(json: bytes)
                #expect(message.rows.allSatisfy { (-127...20).contains($0.level) })
                _ = message.correctedSecond
                read += 1
            } catch {
                #expect(!error.description.isEmpty && error.description.utf8.count < 600)
            }
            _ = try? ScannerMessage(json: bytes, host: "a")
            _ = try? RoomMessage.known(json: bytes)
            _ = try? HearingMessage(json: bytes)
        }
        #expect(read > 0)
    }
}
