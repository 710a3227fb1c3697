import Beacon
import Broker
import Events
import FleetFormat
import Health
import MQTT
import Ranging
import Settings
import Testing

@Suite("Retained states")
struct RetainedStateTests {
    private func all(_ states: inout RetainedStates) -> [String] {
        var told: [String] = []
        while let publication = states.next() { told.append("\(publication.topic)=\(publication.payload)") }
        return told
    }

    @Test("are told once, the newest only")
    func areTold() {
        var states = RetainedStates()
        states.set("a", "1")
        states.set("b", "1")
        states.set("a", "2")
        #expect(all(&states) == ["a=2", "b=1"])
        states.set("a", "2")
        #expect(all(&states) == [])
        states.set("a", "3")
        #expect(all(&states) == ["a=3"])
    }

    @Test("are all told again in a new connection")
    func areAllTold() {
        var states = RetainedStates()
        states.set("a", "1")
        #expect(all(&states) == ["a=1"])
        states.forgetTold()
        #expect(all(&states) == ["a=1"])
    }

    @Test("are taken back once")
    func areTaken() {
        var states = RetainedStates()
        states.set("a", "1")
        _ = all(&states)
        states.clear("a")
        #expect(all(&states) == ["a="])
        states.forgetTold()
        #expect(all(&states) == [])
    }

    @Test("of which nobody knows any more are taken back when they are found")
    func ofWhichNobody() {
        var states = RetainedStates()
        states.set("a", "1")
        _ = all(&states)
        states.found("a")
        states.found("stale")
        #expect(all(&states) == ["stale="])
    }
}

@Suite("What the broker is to keep")
struct StateBoardTests {
    private let names = Names()
    private let hall = id(1), shop = id(2)

    private static func id(_ minor: UInt16) -> BeaconID {
        BeaconID(uuid: ProximityUUID(0x1_0000_0000_0000_0002), major: 1, minor: minor)
    }

    private func states(_ change: (inout MQTTSettings) -> Void = { _ in }) throws -> StateMessages {
        var settings = MQTTSettings(broker: try BrokerAddress("mqtt://broker"), host: "pi", outboxFile: "/nowhere")
        change(&settings)
        return StateMessages(
            settings: settings, topics: Topics(prefix: "beacond", host: "pi"), names: names, version: "1.2.3")
    }

    private func ranking(
        at seconds: Double, nearest: BeaconID? = nil, count: Int = 3, _ beacons: BeaconID...
    ) -> Ranking {
        let time = Timestamp(microseconds: 1_700_000_000_000_000 + Int64(seconds * 1_000_000))
        return Ranking(
            time: time, nearest: nearest,
            beacons: beacons.enumerated().map { index, id in
                RangedBeacon(
                    rank: index + 1, id: id, rssi: -60, filteredRSSI: -60.5, measuredPower: -59, distance: nil,
                    proximity: .near, lastSeen: time, count: count)
            })
    }

    /// What was told, by topic below the base; "" where it was taken back.
    private func told(_ states: inout StateMessages) -> [String: String] {
        var told: [String: String] = [:]
        while let publication = states.next() {
            #expect(publication.isRetained)
            told[String(publication.topic.dropFirst("beacond/pi/".count))] = publication.payload
        }
        return told
    }

    private func topic(_ id: BeaconID) -> String { "ranging/\(id.uuid)/\(id.major)/\(id.minor)" }

    @Test("a beacon's state is told at its interval, and taken back at once when it exits")
    func beaconsState() throws {
        var states = try states { $0.rangingInterval = 5 }
        states.update(ranking(at: 0, hall), isBlind: false)
        #expect(told(&states)[topic(hall)]?.contains("\"rssi_filtered\":-60.5") == true)
        states.update(ranking(at: 4.5, hall, shop), isBlind: false)
        let second = told(&states)
        #expect(second[topic(hall)] == nil)
        #expect(second[topic(shop)] != nil)
        states.update(ranking(at: 5, hall, shop), isBlind: false)
        #expect(told(&states)[topic(hall)] != nil)
        states.update(ranking(at: 5.5, shop), isBlind: false)
        #expect(told(&states)[topic(hall)] == "")
    }

    @Test("in a fleet, the scanner's state says since when it is blind, and how its clock is")
    func scannerInFleet() throws {
        var states = try states { $0.fleet = FleetPlace(room: "Hall 1") }
        var snapshot = EventHub(names: names).snapshot
        states.update(snapshot, at: Timestamp(seconds: 1_767_225_600))
        snapshot.rankings = 1
        states.update(snapshot, at: Timestamp(seconds: 1_767_225_700))
        let blind = try #require(told(&states)["scanner"])
        #expect(
            blind.contains(#""blind_since":"2026-01-01T00:00:00.000000Z","clock_ms":null,"clock_synchronised":null"#))
        states.update(FleetClock.State(milliseconds: -12, isSynchronised: false))
        #expect(try #require(told(&states)["scanner"]).contains(#""clock_ms":-12,"clock_synchronised":false"#))
        states.update(FleetClock.State(milliseconds: -12, isSynchronised: false))
        #expect(told(&states).isEmpty)
        snapshot.isBlind = false
        states.update(snapshot, at: Timestamp(seconds: 1_767_225_800))
        #expect(try #require(told(&states)["scanner"]).contains(#""blind_since":null"#))
    }

    @Test("the health of beacons with names is kept, and of others while something is wrong")
    func health() throws {
        var states = try states()
        names.add([hall: "Hall"])
        states.update(ranking(at: 0, hall, shop), isBlind: false)
        _ = told(&states)
        let topics = [hall, shop].map { "health/\($0)" }
        var unwell = BeaconHealth(beacon: shop)
        states.update(.unknown)
        #expect(told(&states).isEmpty)
        unwell.problems = [HealthProblem(kind: .weak, since: 0, evidence: "12 dB weaker than usual")]
        states.update(.known([BeaconHealth(beacon: hall), unwell]))
        let first = told(&states)
        #expect(first[topics[0]]?.contains(#""name":"Hall","state":"ok","problems":[]"#) == true)
        #expect(
            first[topics[1]]?.contains(#""kind":"weak","since":"1970-01-01T00:00:00.000000Z","evidence":"12 dB"#)
                == true)
        states.update(.known([BeaconHealth(beacon: hall), BeaconHealth(beacon: shop)]))
        #expect(told(&states) == [topics[1]: ""])
        states.found("beacond/pi/health/\(shop)")
        #expect(told(&states) == [topics[1]: ""])
        states.update(.off)
        #expect(told(&states) == [topics[0]: ""])
    }

    @Test("nobody is said to be well of whom nothing is known")
    func unknownHealth() throws {
        var states = try states()
        names.add([hall: "Hall", shop: "Shop"])
        states.update(ranking(at: 0, hall), isBlind: false)
        states.update(.known([BeaconHealth(beacon: hall)]))
        let first = told(&states)
        #expect(first["health/\(hall)"]?.contains(#""state":"ok""#) == true)
        #expect(first["health/\(shop)"] == nil)
        states.update(.known([BeaconHealth(beacon: hall), BeaconHealth(beacon: shop)]))
        #expect(told(&states)["health/\(shop)"]?.contains(#""state":"ok""#) == true)
        states.update(.known([BeaconHealth(beacon: shop)]))
        #expect(told(&states)["health/\(hall)"] == "", "it was forgotten")
    }

    @Test("a clock that was set back silences nobody")
    func clockThatWasSet() throws {
        var states = try states()
        states.update(ranking(at: 100, hall), isBlind: false)
        _ = told(&states)
        states.update(ranking(at: 0, hall), isBlind: false)
        #expect(told(&states)[topic(hall)] != nil)
    }

    @Test("no states of beacons where none are wanted")
    func noStates() throws {
        var states = try states { $0.rangingInterval = 0 }
        states.update(ranking(at: 0, nearest: hall, hall), isBlind: false)
        #expect(Set(told(&states).keys) == ["nearest"])
    }

    private func region(_ name: String, since: Double? = nil) -> RegionState {
        RegionState(
            region: BeaconRegion(identifier: name, constraint: BeaconConstraint(hall)), beacons: since == nil ? 0 : 1,
            since: since.map { Timestamp(seconds: $0) })
    }

    @Test("a region is inside at once, and outside when that is known; what a former run has left stays until then")
    func regions() throws {
        var states = try states()
        for name in ["hall", "cellar", "gone"] { states.found("beacond/pi/regions/\(name)") }
        states.update(ranking(at: 0), isBlind: true, isSettled: false)
        states.update(regions: [region("hall"), region("cellar")])
        #expect(told(&states).isEmpty, "nothing can be received")
        states.update(ranking(at: 1, hall), isBlind: false, isSettled: false)
        states.update(regions: [region("hall", since: 1), region("cellar")])
        let first = told(&states).filter { $0.key.hasPrefix("regions/") }
        #expect(
            first == [
                "regions/hall": #"{"region":"hall","state":"inside","since":"1970-01-01T00:00:01.000000Z"}"#,
                "regions/gone": "",
            ])
        states.update(regions: [region("hall"), region("cellar")])
        #expect(told(&states) == ["regions/hall": #"{"region":"hall","state":"outside","since":null}"#])
        states.update(ranking(at: 30), isBlind: false)
        states.update(regions: [region("hall"), region("cellar")])
        let settled = told(&states).filter { $0.key.hasPrefix("regions/") }
        #expect(settled == ["regions/cellar": #"{"region":"cellar","state":"outside","since":null}"#])
        states.update(regions: [region("hall")])
        #expect(told(&states) == ["regions/cellar": ""])
    }

    @Test("a region that is renamed, or that comes while it runs, is announced, and the old one removed")
    func renamedRegion() throws {
        var states = try states { $0.discoveryPrefix = "homeassistant" }
        func told(_ regions: RegionState...) -> [String: String] {
            states.update(ranking(at: 0), isBlind: false)
            states.update(regions: regions)
            var told: [String: String] = [:]
            while let next = states.next() { told[next.topic] = next.payload }
            return told.filter { $0.key.contains("region") }
        }
        let (old, new) = (Topics.distinctLevel("Hall 1"), Topics.distinctLevel("Hall 2"))
        let first = told(region("Hall 1", since: 5))
        #expect(first.count == 2)
        #expect(first["homeassistant/binary_sensor/beacond_pi/region_\(old)/config"]?.contains(#""Hall 1""#) == true)
        #expect(first["beacond/pi/regions/\(old)"]?.contains(#""state":"inside""#) == true)
        let second = told(region("Hall 2", since: 5))
        #expect(second.count == 4 && second["beacond/pi/regions/\(old)"] == "")
        #expect(second["homeassistant/binary_sensor/beacond_pi/region_\(old)/config"] == "")
        #expect(second["beacond/pi/regions/\(new)"]?.contains(#""region":"Hall 2","state":"inside""#) == true)
        #expect(told(region("Hall 2", since: 7)).isEmpty, "the state is the same")
    }

    @Test("a flood of beacons is told of in part")
    func floodOfBeacons() throws {
        var states = try states()
        let many = (0..<2000).map { Self.id(UInt16($0)) }
        var crowded = ranking(at: 0)
        crowded.beacons = many.map { ranking(at: 0, $0).beacons[0] }
        states.update(crowded, isBlind: false)
        #expect((1...300).contains(told(&states).count))
    }

    @Test("the nearest is told when it changes, with its name")
    func nearestIsTold() throws {
        var states = try states()
        states.update(ranking(at: 0, nearest: hall, hall), isBlind: false)
        #expect(told(&states)["nearest"]?.contains("\"label\":\"00000000") == true)
        states.update(ranking(at: 1, nearest: hall, hall), isBlind: false)
        #expect(told(&states)["nearest"] == nil)
        names.add([hall: "Hall"])
        states.update(ranking(at: 2, nearest: hall, hall), isBlind: false)
        #expect(told(&states)["nearest"]?.contains("\"label\":\"Hall\"") == true)
        states.update(ranking(at: 3), isBlind: false)
        let none = told(&states)["nearest"]
        #expect(none?.contains("\"nearest\":null") == true && none?.contains("\"label\":\"none\"") == true)
    }

    @Test("presence is told of beacons with names, once something can be heard")
    func presenceIsTold() throws {
        names.add([hall: "Hall", shop: "Shop"])
        var states = try states()
        states.update(ranking(at: 0, hall), isBlind: true)
        #expect(told(&states).keys.contains { $0.hasPrefix("presence/") } == false)
        states.update(ranking(at: 1, hall, Self.id(9)), isBlind: false)
        let presences = told(&states).filter { $0.key.hasPrefix("presence/") }
        #expect(Set(presences.values) == ["present", "absent"])
        #expect(presences.count == 2)
        #expect(presences["presence/\(hall.uuid)/1/1"] == "present")
    }

    @Test("after a start, nobody is said to be absent or no longer the nearest until that is known")
    func restart() throws {
        names.add([hall: "Hall", shop: "Shop"])
        var states = try states()
        states.found("beacond/pi/" + topic(hall))
        states.found("beacond/pi/" + topic(shop))
        states.update(ranking(at: 0), isBlind: false, isSettled: false)
        #expect(told(&states).isEmpty)
        states.update(ranking(at: 1, nearest: hall, hall), isBlind: false, isSettled: false)
        let first = told(&states)
        #expect(first["presence/\(hall)"] == "present" && first["nearest"]?.contains("Hall") == true)
        #expect(first["presence/\(shop)"] == nil && first[topic(shop)] == nil)
        // What has come in this run and has left is known.
        states.update(ranking(at: 2), isBlind: false, isSettled: false)
        let second = told(&states)
        #expect(second["presence/\(hall)"] == "absent" && second["nearest"]?.contains("none") == true)
        #expect(second["presence/\(shop)"] == nil)
        states.update(ranking(at: 30), isBlind: false)
        let third = told(&states)
        #expect(third["presence/\(shop)"] == "absent" && third[topic(shop)] == "")
        #expect(third["nearest"] == nil)
    }

    @Test("nobody is said not to be the nearest while nothing can be received since the start")
    func blindStart() throws {
        var states = try states()
        states.update(ranking(at: 0), isBlind: true)
        #expect(told(&states).isEmpty)
        states.update(ranking(at: 1), isBlind: false)
        #expect(told(&states)["nearest"]?.contains("\"nearest\":null") == true)
    }

    @Test("a name that is given, changed and removed while it runs is announced, changed and withdrawn")
    func renaming() throws {
        var states = try states { $0.discoveryPrefix = "homeassistant" }
        let key = BeaconKey(hall).pair
        func told(at seconds: Double) -> [Publication] {
            states.update(ranking(at: seconds, hall), isBlind: false)
            var told: [Publication] = []
            while let next = states.next() { told.append(next) }
            return told.filter { $0.topic.contains("_1_1_") || $0.topic.contains("/presence/") }
        }
        #expect(told(at: 0).isEmpty)
        for (second, name) in [(10.0, "Star Globe"), (20, "Moon")] {
            names.configure(KnownBeacons([key: .init(name: name)]))
            names.meet([hall])
            let configurations = told(at: second).filter { $0.topic.hasPrefix("homeassistant/") }
            // Its distance, its presence and its health.
            #expect(configurations.count == 3)
            #expect(configurations.allSatisfy { $0.payload.contains(#""name":"\#(name)""#) })
        }
        names.configure(KnownBeacons())
        let last = told(at: 30)
        #expect(last.count == 4 && last.allSatisfy(\.payload.isEmpty))
    }

    @Test("beacons without a name are published if asked for: those that are received steadily, until a day after")
    func unnamed() throws {
        func present(_ states: inout StateMessages, at seconds: Double, count: Int, _ beacons: BeaconID...) -> [String:
            String]
        {
            var ranked = ranking(at: seconds, count: count)
            ranked.beacons = ranking(at: seconds, count: count, hall).beacons.flatMap { one in
                beacons.map { id in
                    var beacon = one
                    beacon.id = id
                    return beacon
                }
            }
            states.update(ranked, isBlind: false)
            return told(&states).filter { $0.key.hasPrefix("presence/") }
        }
        var without = try self.states()
        #expect(present(&without, at: 0, count: 50, hall).isEmpty)
        var states = try self.states { $0.includesUnnamed = true }
        #expect(present(&states, at: 0, count: 9, hall).isEmpty)
        #expect(present(&states, at: 1, count: 10, hall) == ["presence/\(hall)": "present"])
        #expect(present(&states, at: 2, count: 10) == ["presence/\(hall)": "absent"])
        #expect(present(&states, at: 86_300, count: 10).isEmpty)
        #expect(present(&states, at: 86_500, count: 10) == ["presence/\(hall)": ""])
    }

    @Test("a flood of beacons without a name is not published")
    func unnamedFlood() throws {
        var unnamed = UnnamedBeacons()
        var flood = ranking(at: 0, count: 100, hall)
        flood.beacons = (0..<5000).map { number in
            var beacon = flood.beacons[0]
            beacon.id = BeaconID(uuid: ProximityUUID(UInt128(number + 9)), major: 1, minor: 1)
            return beacon
        }
        unnamed.update(flood) { _ in false }
        #expect(unnamed.names.count == UnnamedBeacons.most)
        unnamed.update(flood) { _ in true }
        #expect(unnamed.names.isEmpty, "those that get a name are no longer without one")
    }

    @Test("a beacon without a name that a former run has published stays, and is absent")
    func unnamedFormerly() throws {
        var states = try states { $0.includesUnnamed = true }
        states.found("beacond/pi/presence/\(hall)")
        states.update(ranking(at: 1), isBlind: false)
        #expect(told(&states)["presence/\(hall)"] == "absent")
    }

    @Test("what a former run left is taken back only when it is known to be wrong")
    func whatFormer() throws {
        var states = try states()
        states.found("beacond/pi/" + topic(hall))
        states.found("beacond/pi/" + topic(shop))
        #expect(told(&states) == [:])
        states.update(ranking(at: 0), isBlind: true)
        #expect(told(&states)[topic(hall)] == nil)
        states.update(ranking(at: 1, hall), isBlind: false)
        let told = told(&states)
        #expect(told[topic(shop)] == "")
        #expect(told[topic(hall)]?.isEmpty == false)
    }

    @Test("each message of a former run is examined once when it is found, and once for each thing that is learned")
    func work() throws {
        var states = try states()
        for number in 0..<StrayTopics.most { states.found("beacond/pi/presence/x\(number)") }
        #expect(states.strays.examinations == StrayTopics.most)
        #expect(states.strays.waiting.count == StrayTopics.most && !states.hasLeftOut)
        #expect(told(&states).isEmpty)
        states.siteIsKnown()
        #expect(states.strays.examinations == 2 * StrayTopics.most)
        for second in 0..<5 { states.update(ranking(at: Double(second) / 10), isBlind: true) }
        #expect(states.strays.examinations == 2 * StrayTopics.most, "nothing was learned")
        #expect(told(&states).filter { $0.key.hasPrefix("presence/") }.isEmpty, "nothing can be received")
        states.update(ranking(at: 1), isBlind: false)
        #expect(states.strays.examinations == 3 * StrayTopics.most)
        let removed = told(&states).filter { $0.key.hasPrefix("presence/") }
        #expect(removed.count == StrayTopics.most && removed.values.allSatisfy(\.isEmpty))
        states.update(ranking(at: 2), isBlind: false)
        #expect(states.strays.examinations == 3 * StrayTopics.most && states.strays.waiting.isEmpty)
    }

    @Test("messages of a former run beyond the limit are left alone, until the next connection")
    func limit() throws {
        var states = try states()
        states.siteIsKnown()
        states.update(ranking(at: 0, hall), isBlind: false)
        _ = told(&states)
        // Known topics do not count, and none of them is left alone.
        let own = "beacond/pi/" + topic(hall)
        for number in 0...StrayTopics.most {
            states.found("beacond/pi/presence/x\(number)")
            states.found(own)
        }
        #expect(states.hasLeftOut)
        #expect(states.strays.examinations == StrayTopics.most)
        let removed = told(&states)
        #expect(removed.count == StrayTopics.most && removed["presence/x\(StrayTopics.most)"] == nil)
        states.connect(
            version: "1.2.3", started: Timestamp(seconds: 0), connected: Timestamp(seconds: 40), waiting: 0, dropped: 0)
        _ = told(&states)
        #expect(!states.hasLeftOut)
        states.found("beacond/pi/presence/x\(StrayTopics.most)")
        #expect(told(&states) == ["presence/x\(StrayTopics.most)": ""])
    }

    @Test("a beacon that a name without a UUID is for, and that left while the daemon was down, is absent")
    func leftMeanwhile() throws {
        names.configure(KnownBeacons([BeaconKey(hall).pair: .init(name: "Star Globe")]))
        var states = try states()
        states.siteIsKnown()
        for beacon in [hall, shop] { states.found("beacond/pi/presence/\(beacon)") }
        states.update(ranking(at: 0), isBlind: false, isSettled: false)
        #expect(told(&states).isEmpty)
        states.update(ranking(at: 30), isBlind: false)
        let changes = told(&states)
        #expect(changes["presence/\(hall)"] == "absent")
        #expect(changes["presence/\(shop)"] == "", "nobody names it")
        // Also where the broker is there only now.
        states.connect(
            version: "1.2.3", started: Timestamp(seconds: 0), connected: Timestamp(seconds: 40), waiting: 0, dropped: 0)
        _ = told(&states)
        let other = BeaconID(uuid: ProximityUUID(9), major: hall.major, minor: hall.minor)
        states.found("beacond/pi/presence/\(other)")
        #expect(told(&states) == ["presence/\(other)": "absent"])
    }

    @Test("an announced beacon stays until a list is known that does not have it")
    func announcedBeacon() throws {
        names.add([hall: "Hall"])
        var states = try states { $0.discoveryPrefix = "homeassistant" }
        states.update(ranking(at: 0, hall), isBlind: false)
        _ = told(&states)
        let stale = "homeassistant/sensor/beacond_pi/gone_distance/config"
        states.found(stale)
        states.update(ranking(at: 1, hall), isBlind: false)
        #expect(told(&states).isEmpty)
        states.siteIsKnown()
        let publication = states.next()
        #expect(publication?.topic == stale && publication?.payload.isEmpty == true)
        #expect(told(&states).isEmpty)
    }
}

@Suite("Troubles with the broker")
struct TroubleTests {
    @Test("are told once until the connection has lasted")
    func areToldOnce() {
        var troubles = BrokerProblems()
        let (away, refused) = (BrokerProblem("away"), BrokerProblem("refused"))
        #expect([away, away, refused, away].map { troubles.isNews($0) } == [true, false, true, false])
        #expect((0..<2).map { _ in troubles.settle() } == [true, false])
        #expect([away].map { troubles.isNews($0) } == [true])
    }
}
