import Beacon
import Broker
import Fleet
import FleetFormat
import Rooms
import Testing

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
private let topics = FleetTopics(prefix: "beacond")

/// A broker without a network: retained messages, and resolvers that get everything at once.
private struct Hall {
    var retained: [String: String] = [:]
    var resolvers: [String: FleetResolver] = [:]
    /// Everything that was published, by whom.
    var published: [(resolver: String, message: Publication)] = []
    /// Seconds of the resolvers' own clock.
    var clock = 0.0
    var second: Int64 = 1000

    mutating func start(_ name: String, announcing: Bool = false) {
        var resolver = FleetResolver(prefix: "beacond", name: name)
        if announcing {
            resolver.announcements = RoomAnnouncements(RoomDiscovery(prefix: "homeassistant", topics: topics))
        }
        resolver.connect(at: clock)
        for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) {
            resolver.take(topic, Array(payload.utf8), at: clock)
        }
        resolvers[name] = resolver
        deliver()
    }

    /// The program is gone: the broker publishes its last will.
    mutating func kill(_ name: String) {
        resolvers[name] = nil
        publish(topics.resolver(name), "offline", isRetained: true)
    }

    mutating func publish(_ topic: String, _ payload: String, isRetained: Bool = false) {
        if isRetained { retained[topic] = payload.isEmpty ? nil : payload }
        for name in resolvers.keys.sorted() { resolvers[name]?.take(topic, Array(payload.utf8), at: clock) }
    }

    mutating func deliver() {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for name in resolvers.keys.sorted() {
                while let message = resolvers[name]?.nextPublication() {
                    isQuiet = false
                    published.append((name, message))
                    publish(message.topic, message.payload, isRetained: true)
                }
            }
        }
    }

    /// By how many seconds the clocks of scanners are wrong, and what they add: milliseconds.
    var clocks: [String: (ahead: Int64, correction: Int?)] = [:]

    /// A second passes, in which the scanners of both rooms tell these levels (or that they are blind).
    mutating func pass(_ levels: [String: Double?], seconds: Int = 1) {
        for _ in 0..<seconds {
            for (host, level) in levels.sorted(by: { $0.key < $1.key }) {
                let rows = level.map {
                    LevelsMessage.Row(beacon: beacon, level: $0, variance: 4, count: 5, age: 0.1)
                }
                let clock = clocks[host] ?? (0, nil)
                let message = LevelsMessage(
                    second: second + clock.ahead, isBlind: level == nil, clock: clock.correction,
                    rows: [rows].compactMap(\.self))
                publish("beacond/\(host)/levels", message.json)
            }
            second += 1
            clock += 1
            for name in resolvers.keys.sorted() { resolvers[name]?.resolve(at: clock) }
            deliver()
        }
    }

    var room: String? { retained[topics.room(beacon)] }

    /// How a resolver sees the scanners.
    mutating func scanners(_ resolver: String) -> [FleetScanner] {
        resolvers[resolver]?.snapshot(at: clock, time: Timestamp(seconds: clock)).scanners ?? []
    }

    static func open() -> Hall {
        var hall = Hall()
        for (host, room, x) in [("pi-1", "Hall 1", 0), ("pi-2", "Hall 2", 20)] {
            let state = #"{"scanner":"ok","room":"\#(room)","floor":0,"x":\#(x),"y":0}"#
            hall.publish("beacond/\(host)/scanner", state, isRetained: true)
        }
        return hall
    }
}

@Suite struct FleetResolverTests {
    @Test("the room of a beacon is retained, and changes with it")
    func rooms() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 20)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
        hall.pass(["pi-1": -85, "pi-2": -60], seconds: 15)
        #expect(try #require(hall.room).contains(#""room":"Hall 2""#))
        let told = hall.published.filter { $0.message.topic == topics.room(beacon) }
        #expect(told.count == 2)
        #expect(told.allSatisfy { $0.message.isRetained })
    }

    @Test("a plan that has other rooms than the scanners is told once, with their names")
    func otherRooms() throws {
        var hall = Hall.open()
        func draw(_ rooms: [String]) {
            let outlines = rooms.map { #"{"room":"\#($0)","floor":0,"corners":[[0,0],[8,0],[8,6]]}"# }
            hall.publish(topics.plan, #"{"rooms":[\#(outlines.joined(separator: ","))]}"#, isRetained: true)
        }
        draw(["Halle 1", "Hall 2", "Cabinet", "Cellar"])
        hall.publish(
            "beacond/fleet/taught/1", #"{"room":"Cellar","floor":0,"spots":[{"pi-1":14.2}]}"#, isRetained: true)
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 90)
        let told = hall.resolvers["a"]?.takeNotices()
        #expect(
            told == [
                "scanners stand in rooms that the plan does not have: Hall 1 (floor 0); a room needs the same name and "
                    + "floor in both",
                "the plan has rooms that no scanner and no lesson names: Cabinet (floor 0), Halle 1 (floor 0)",
            ])
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 130)
        let again = hall.resolvers["a"]?.takeNotices()
        #expect(again == [])
        draw(["Hall 1", "Hall 2", "Cellar"])
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 70)
        let mended = hall.resolvers["a"]?.takeNotices()
        #expect(mended == [])
    }

    @Test("what was taught with scanners that are gone, or with none, moves no beacon", arguments: [
        #"{"room":"Old","floor":0,"spots":[{"old-1":14.2,"old-2":null}]}"#,
        #"{"room":"Old","floor":0,"spots":[{"pi-1":null}]}"#, #"{"room":"Old","floor":0,"spots":[{}]}"#,
    ])
    func strangeLesson(lesson: String) throws {
        var hall = Hall.open()
        hall.publish("beacond/fleet/taught/1", lesson, isRetained: true)
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 60)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
    }

    @Test("a broker that drops what is published is told of once, and when it does so no more")
    func noEcho() {
        var resolver = FleetResolver(prefix: "beacond", name: "a")
        resolver.connect(at: 0)
        resolver.take(topics.resolver("a"), Array("offline".utf8), at: 0)
        resolver.resolve(at: 19)
        #expect(resolver.takeNotices() == [])
        for second in 20..<40 { resolver.resolve(at: Double(second)) }
        #expect(
            resolver.takeNotices()
                == ["the broker does not pass on what this program publishes: let it publish below beacond"])
        resolver.connect(at: 40)
        resolver.take(topics.resolver("a"), Array("answering".utf8), at: 41)
        for second in 42..<80 { resolver.resolve(at: Double(second)) }
        #expect(resolver.takeNotices() == ["the broker passes on what this program publishes again"])
    }

    @Test("two tell the same, byte by byte, and one goes on where the other is killed")
    func two() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.start("b")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 200)
        hall.published = []
        hall.pass(["pi-1": -85, "pi-2": -60], seconds: 15)
        let told = hall.published.filter { $0.message.topic == topics.room(beacon) }
        #expect(told.map(\.resolver).sorted() == ["a", "b"])
        #expect(Set(told.map(\.message.payload)).count == 1)
        hall.kill("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 15)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
    }

    @Test("what is taught and drawn counts for all, and for one that starts later")
    func taught() throws {
        var hall = Hall.open()
        hall.start("a")
        let cellar = RoomMap.Room(name: "Cellar", floor: 0)
        let lesson = TaughtRoom(room: cellar, spots: [["pi-1": 16, "pi-2": 17]])
        hall.pass(["pi-1": -75, "pi-2": -76], seconds: 20)
        #expect(try #require(hall.room).contains("Cellar") == false)
        hall.publish(topics.taught(cellar), TaughtRoomMessage.json(lesson), isRetained: true)
        hall.pass(["pi-1": -75, "pi-2": -76], seconds: 30)
        #expect(try #require(hall.room).contains("Cellar"))
        hall.start("b")
        hall.pass(["pi-1": -75, "pi-2": -76], seconds: FleetResolver.apprenticeship + 10)
        #expect(hall.resolvers["b"]?.answers.first?.room == cellar)
        // Forgotten again.
        hall.publish(topics.taught(cellar), "", isRetained: true)
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 30)
        #expect(hall.resolvers.values.allSatisfy { $0.answers.first?.room?.name == "Hall 1" })
    }

    @Test("one that starts beside another tells nothing until it knows as much")
    func apprentice() throws {
        var hall = Hall.open()
        hall.start("a")
        // In the middle of a minute: there is no checkpoint of the others yet that it could go on from.
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 25)
        hall.start("b")
        hall.pass(["pi-1": -85, "pi-2": -60], seconds: 20)
        #expect(!hall.published.contains { $0.resolver == "b" && $0.message.topic == topics.room(beacon) })
        #expect(hall.resolvers["b"]?.isAnswering == false)
        hall.pass(["pi-1": -85, "pi-2": -60], seconds: FleetResolver.apprenticeship)
        #expect(hall.resolvers["b"]?.isAnswering == true)
        #expect(hall.resolvers["a"]?.answers == hall.resolvers["b"]?.answers)
    }

    @Test("an apprentice whose master is killed tells at once what has changed")
    func heir() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 20)
        hall.start("b")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 5)
        hall.kill("a")
        hall.pass(["pi-1": -85, "pi-2": -60], seconds: 15)
        #expect(try #require(hall.room).contains(#""room":"Hall 2""#))
        #expect(hall.retained[topics.resolver("b")] == "answering")
    }

    @Test("after a restart it goes on with what is retained: room and since stay")
    func restart() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 60)
        let before = try #require(hall.room)
        hall.kill("a")
        hall.second += 30
        hall.start("a")
        hall.published = []
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 5)
        #expect(
            hall.published.contains { $0.message.topic == topics.resolver("a") && $0.message.payload == "answering" })
        let since = #/"since":"[^"]*"/#
        let after = try #require(hall.room)
        #expect(after.firstMatch(of: since)?.output == before.firstMatch(of: since)?.output)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
    }

    @Test("a scanner that is blind, or is gone, is none: unknown for what only it heard", arguments: [true, false])
    func blind(saysSo: Bool) throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": nil], seconds: 20)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
        hall.pass(saysSo ? ["pi-1": nil, "pi-2": nil] : ["pi-2": nil], seconds: 14)
        #expect(try #require(hall.room).contains(#""room":null"#))
        #expect(try #require(hall.room).contains(#""unknown":"blind""#))
    }

    @Test("where most scanners fall silent at once, the others go on, and those are back at once", arguments: [2, 9])
    func mostAreSilent(count: Int) throws {
        var hall = Hall.open()
        hall.start("a")
        let others = (1...count).map { "other-\($0)" }
        for host in others {
            let state = #"{"scanner":"ok","room":"Hall 1","floor":0,"x":1,"y":0}"#
            hall.publish("beacond/\(host)/scanner", state, isRetained: true)
        }
        let all = Dictionary(uniqueKeysWithValues: others.map { ($0, Double?(-66)) })
            .merging(["pi-1": -60, "pi-2": -85]) { $1 }
        hall.pass(all, seconds: 20)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
        // No last will: the broker has not noticed it yet.
        hall.pass(["pi-2": -60], seconds: 25)
        #expect(try #require(hall.room).contains(#""room":"Hall 2""#))
        let second = hall.resolvers["a"]?.snapshot(at: hall.clock, time: Timestamp(seconds: 0)).second
        #expect(second == hall.second - 1)
        #expect(hall.scanners("a").filter { $0.state == .gone }.count == count + 1)
        hall.pass(all, seconds: 20)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
    }

    @Test("all scanners are gone: unknown by the own clock")
    func nobody() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 20)
        hall.pass([:], seconds: 30)
        #expect(try #require(hall.room).contains(#""room":null"#))
    }

    @Test("who heard a beacon last is known, also where another scanner comes while it is silent")
    func comingWhileSilent() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 25)
        hall.publish(
            "beacond/pi-3/scanner", #"{"scanner":"ok","room":"Hall 3","floor":0,"x":40,"y":0}"#, isRetained: true)
        // The map is renewed five seconds after the last word.
        hall.pass([:], seconds: 30)
        #expect(hall.resolvers["a"]?.scanners.count == 3)
        #expect(try #require(hall.room).contains(#""unknown":"blind""#))
        let since = try #require(hall.room?.firstMatch(of: /"since":"1970-01-01T00:(\d\d):(\d\d)/)).output
        #expect((Int(since.1) ?? 0) * 60 + (Int(since.2) ?? 0) == 1024 + 7)
    }

    @Test("one wrong clock deafens nobody for long", arguments: [253_402_300_799, 5000] as [Int64])
    func wrongClock(second: Int64) throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 20)
        hall.pass([:], seconds: 12)
        // The first that is heard after the silence is wrong.
        hall.publish("beacond/pi-2/levels", LevelsMessage(second: second, isBlind: false, rows: []).json)
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 60)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
    }

    @Test("half of the scanners come back after five minutes, and are enough")
    func halfOfThem() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 20)
        hall.second += 300
        hall.pass(["pi-1": -60], seconds: 60)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
    }

    @Test("one that was cut off takes over what the other has told meanwhile, and deletes nothing")
    func cutOff() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.start("b")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 200)
        let away = hall.resolvers.removeValue(forKey: "b")
        hall.publish(topics.resolver("b"), "offline", isRetained: true)
        hall.pass(["pi-1": -85, "pi-2": -60], seconds: 100)
        let told = try #require(hall.room)
        hall.published = []
        var back = try #require(away)
        back.connect(at: hall.clock)
        for (topic, payload) in hall.retained.sorted(by: { $0.key < $1.key }) {
            back.take(topic, Array(payload.utf8), at: hall.clock)
        }
        hall.resolvers["b"] = back
        hall.pass(["pi-1": -85, "pi-2": -60], seconds: 130)
        #expect(hall.room == told)
        #expect(!hall.published.contains { $0.message.topic == topics.room(beacon) })
    }

    @Test("after a pause, nobody waits for a scanner that fell silent before, even if its clock was far ahead")
    func silentBeforeJump() {
        var hall = Hall.open()
        let others = ["pi-2", "pi-3", "pi-4", "pi-5"]
        for host in others.dropFirst() {
            hall.publish("beacond/\(host)/scanner", #"{"scanner":"ok","room":"Hall 2","x":20,"y":0}"#, isRetained: true)
        }
        hall.start("a")
        let levels: [String: Double?] = Dictionary(uniqueKeysWithValues: others.map { ($0, -60) })
        let all = levels.merging(["pi-1": -60]) { $1 }
        hall.pass(all, seconds: 5)
        hall.clocks["pi-1"] = (100, nil)
        hall.pass(all)
        hall.pass(levels, seconds: 15)
        hall.second += 200
        hall.pass(levels)
        #expect(hall.resolvers["a"]?.snapshot(at: hall.clock, time: Timestamp(seconds: 0)).second == hall.second - 1)
    }

    @Test("since when nobody hears a beacon is kept over a restart")
    func unknownOverRestart() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 20)
        hall.pass(["pi-1": nil, "pi-2": nil], seconds: 30)
        let before = try #require(hall.room)
        #expect(before.contains(#""unknown":"blind""#))
        hall.kill("a")
        hall.start("a")
        let rows: [LevelsMessage.Row] = []
        for _ in 0..<60 {
            for host in ["pi-1", "pi-2"] {
                hall.publish(
                    "beacond/\(host)/levels", LevelsMessage(second: hall.second, isBlind: false, rows: rows).json)
            }
            hall.pass([:])
        }
        #expect(hall.room == before)
    }

    @Test("a scanner whose state is removed has no place any more, and absurd places cost nothing")
    func places() {
        var hall = Hall.open()
        hall.publish("beacond/pi-3/scanner", #"{"scanner":"ok","room":"A","x":1e12,"y":0}"#, isRetained: true)
        hall.publish("beacond/pi-4/scanner", #"{"scanner":"ok","room":"B","x":9999,"y":-9999}"#, isRetained: true)
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 5)
        #expect(hall.resolvers["a"]?.scanners.map(\.scanner) == ["pi-1", "pi-2", "pi-3", "pi-4"])
        hall.publish("beacond/pi-3/scanner", "", isRetained: true)
        #expect(hall.resolvers["a"]?.scanners.map(\.scanner) == ["pi-1", "pi-2", "pi-4"])
        #expect(hall.resolvers["a"]?.unreadable == 0)
    }

    @Test("scanners whose clocks are apart are heard as if they were not, if they say so", arguments: [10, -10, 3600])
    func clocks(ahead: Int64) throws {
        var hall = Hall.open()
        hall.clocks["pi-1"] = (ahead, Int(-ahead) * 1000)
        hall.start("a")
        hall.start("b")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 200)
        #expect(try #require(hall.room).contains(#""room":"Hall 1""#))
        hall.published = []
        hall.pass(["pi-1": -85, "pi-2": -60], seconds: 15)
        #expect(try #require(hall.room).contains(#""room":"Hall 2""#))
        let told = hall.published.filter { $0.message.topic == topics.room(beacon) }
        #expect(told.map(\.resolver).sorted() == ["a", "b"])
        #expect(Set(told.map(\.message.payload)).count == 1)
        let states = hall.scanners("a")
        #expect(states.map(\.hearing.late) == [0, 0])
        #expect(states.map(\.hearing.clock) == [Int(-ahead) * 1000, nil])
        // Several minutes went by before anybody took them.
        let notices = hall.resolvers["a"]?.takeNotices() ?? []
        #expect(notices.count == 1, "\(notices)")
        #expect(notices.first?.hasPrefix("pi-1: its clock is ") == true)
    }

    @Test("a message that is too large is told of, and removes nothing")
    func tooLarge() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 10)
        let before = try #require(hall.resolvers["a"])
        for topic in ["beacond/pi-1/scanner", topics.room(beacon), topics.plan, "beacond/fleet/taught/a1"] {
            hall.resolvers["a"]?.take(topic, nil, at: 20)
        }
        let after = try #require(hall.resolvers["a"])
        #expect(after.unreadable == before.unreadable + 4)
        #expect(after.lastUnreadable?.contains("is larger than 128 KiB") == true)
        #expect(after.scanners.map(\.scanner) == before.scanners.map(\.scanner))
    }

    @Test("a scanner whose clock is wrong and not corrected is told of, in the log and in what is retained")
    func lateness() throws {
        var hall = Hall.open()
        hall.clocks["pi-1"] = (-30, nil)
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -60], seconds: 10)
        var lines: [String] = []
        for _ in 0..<20 {
            hall.pass(["pi-1": -60, "pi-2": -60], seconds: 10)
            lines += hall.resolvers["a"]?.takeNotices() ?? []
        }
        #expect(lines.count == 1, "\(lines)")
        #expect(
            lines.first?.contains(#/^pi-1: [0-9]+ messages of the last minute came too late to count: /#) == true,
            "\(lines)")
        let hearing = try HearingMessage(json: Array(try #require(hall.retained[topics.hearing("a")]).utf8))
        #expect((hearing.scanners["pi-1"]?.late ?? 0) > 100)
        #expect(hearing.scanners["pi-2"]?.late == 0)
        #expect(hearing.scanners["pi-2"]?.second == hearing.second)
    }

    @Test("a scanner's state is known: blind since when, version, clock, whether it is there")
    func scannerStates() throws {
        var hall = Hall.open()
        hall.start("a")
        let state =
            #"{"scanner":"blind","room":"Hall 1","x":0,"y":0,"version":"2.0","revision":7,"blind_since":"2026-01-01T00:00:00Z","clock_ms":12000,"clock_synchronised":false}"#
        hall.publish("beacond/pi-1/scanner", state, isRetained: true)
        let states = hall.scanners("a")
        let first = try #require(states.first)
        #expect(first.state == .blind && first.version == "2.0" && first.revision == 7 && first.isSynchronised == false)
        #expect(first.hearing == .init(second: nil, clock: 12_000))
        hall.publish("beacond/pi-1/status", "offline", isRetained: true)
        let left = hall.scanners("a")
        #expect(left.first?.state == .gone)
        hall.publish("beacond/pi-1/scanner", "", isRetained: true)
        let rest = hall.scanners("a")
        #expect(rest.map(\.place.scanner) == ["pi-2"])
    }

    @Test("nonsense is counted and told, and changes nothing")
    func nonsense() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 20)
        let before = hall.room
        hall.publish("beacond/pi-1/levels", "{")
        hall.publish("beacond/pi-1/scanner", "[]")
        hall.publish("beacond/rooms/\(ProximityUUID(77))/1/2", "null")
        hall.publish("beacond/fleet/antennas", #"{"pi-1":"strong"}"#)
        hall.publish("beacond/pi-9/levels", LevelsMessage(second: .max, isBlind: false, rows: []).json)
        hall.publish("beacond/pi-9/levels", LevelsMessage(second: .min, isBlind: false, clock: .max, rows: []).json)
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 5)
        #expect(hall.room == before)
        #expect(hall.resolvers["a"]?.unreadable == 6)
        #expect(hall.resolvers["a"]?.lastUnreadable?.hasPrefix("beacond/pi-9/levels: ") == true)
    }

    @Test("both tell Home Assistant the same, byte by byte: each beacon, each room, and how many are in it")
    func homeAssistant() {
        var hall = Hall.open()
        hall.start("a", announcing: true)
        hall.start("b", announcing: true)
        hall.pass(["pi-1": -60, "pi-2": -85], seconds: 200)
        hall.pass(["pi-1": -85, "pi-2": -60], seconds: 80)
        let topics = hall.retained.keys.filter { $0.hasPrefix("homeassistant/") }
        #expect(topics.count == 6)
        func counts() -> [String] { hall.retained.values.filter { $0.contains(#"0,"beacons":"#) }.sorted() }
        #expect(counts() == [
            #"{"room":"Hall 1","floor":0,"beacons":0}"#, #"{"room":"Hall 2","floor":0,"beacons":1}"#,
        ])
        for topic in topics {
            let told = Set(hall.published.filter { $0.message.topic == topic }.map(\.message.payload))
            #expect(told.count == 1, "\(topic)")
        }
        for resolver in ["a", "b"] {
            #expect(hall.published.contains { $0.resolver == resolver && topics.contains($0.message.topic) })
        }
    }

    @Test("what the outputs show is what it knows")
    func snapshot() throws {
        var hall = Hall.open()
        hall.start("a")
        hall.pass(["pi-1": -60, "pi-2": nil], seconds: 20)
        hall.publish("beacond/pi-1/levels", "{")
        let time = Timestamp(seconds: 1021)
        var resolver = try #require(hall.resolvers["a"])
        let snapshot = resolver.snapshot(at: hall.clock, time: time)
        #expect(snapshot.rooms == resolver.answers)
        #expect(snapshot.scanners.map(\.state) == [.ok, .blind])
        #expect(snapshot.second == 1019)
        #expect(snapshot.lag == 2)
        #expect(snapshot.counts.unreadable == 1)
        #expect(snapshot.counts.messages > 40)
    }
}
