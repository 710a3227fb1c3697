import Beacon
import Bus
import BusService
import Content
import Events
import Foundation
import Ranging
import TestSupport
import Testing

let hall = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
let shop = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 65535)

/// Before anything was noticed.
private let empty = EventHub(names: Names()).snapshot

func ranking(nearest: BeaconID?, _ beacons: BeaconID...) -> Ranking {
    ranking(nearest: nearest, beacons)
}

func ranking(nearest: BeaconID?, _ beacons: [BeaconID]) -> Ranking {
    Ranking(
        time: Timestamp(microseconds: 5_000_000), nearest: nearest,
        beacons: beacons.enumerated().map { index, id in
            RangedBeacon(
                rank: index + 1, id: id, rssi: -60, filteredRSSI: -60.5, measuredPower: -59, distance: nil,
                proximity: .near, lastSeen: Timestamp(microseconds: 4_000_000), count: 3)
        })
}

@Suite("What the bus is answered")
struct AnswerTests {
    private let names = Names()

    private func outcome(
        _ member: String, _ body: [BusValue] = [], interface: String? = Beacond1.interface,
        path: String = Beacond1.path,
        _ snapshot: EventHub.Snapshot = empty
    ) -> BusAnswers.Outcome {
        var call = BusMessage.call(Beacond1.name, path, interface ?? "", member, body)
        call.interface = interface
        call.serial = 9
        call.sender = ":1.7"
        return BusAnswers(values: BusValues(names: names, version: "1.2.3")).outcome(call, snapshot)
    }

    private func answer(
        _ member: String, _ body: [BusValue] = [], interface: String? = Beacond1.interface,
        path: String = Beacond1.path,
        _ snapshot: EventHub.Snapshot = empty
    ) throws -> BusMessage {
        guard case .answer(let answer) = outcome(member, body, interface: interface, path: path, snapshot) else {
            throw RunningProgram.Failure(description: "\(member) is not answered at once")
        }
        #expect(answer.replySerial == 9)
        #expect(answer.destination == ":1.7")
        // What libdbus would refuse to send.
        _ = try answer.marshalled()
        return answer
    }

    private let properties = "org.freedesktop.DBus.Properties"

    @Test("all properties have the types of the description")
    func allProperties() throws {
        names.add([hall: "Hall\u{0}\n"])
        let hub = EventHub(names: names)
        hub.publish(.lost(source: "hci0", problem: "gone\u{0}", retry: 1))
        hub.publish(ranking(nearest: hall, hall, shop), isBlind: false)
        let snapshot = hub.snapshot
        let all = try #require(
            try answer("GetAll", [.string(Beacond1.interface)], interface: properties, snapshot).body.first?.entries)
        let description = try #require(Beacond1.introspection(of: Beacond1.path))
        for (name, value) in all {
            let (name, type) = (try #require(name.text), value.content.typeSignature)
            #expect(description.contains("<property name=\"\(name)\" type=\"\(type)\""), "\(name) \(type)")
            let one = try answer("Get", [.string(Beacond1.interface), .string(name)], interface: properties, snapshot)
            #expect(one.body == [value])
        }
        #expect(all.count == description.components(separatedBy: "<property ").count - 1)
        #expect(all[.string("Nearest")]?.content["minor"]?.integer == 2)
        #expect(all[.string("Scanner")]?.text == "ok")
    }

    @Test("the ranking has the types of the description, before the first and after")
    func rankingHasTypes() throws {
        let before = try answer("GetRanging")
        #expect(before.body.map(\.typeSignature) == ["x", "s", "a{sv}", "aa{sv}"])
        #expect(before.body[0] == .int64(0))
        var snapshot = empty
        snapshot.ranking = ranking(nearest: shop, hall, shop)
        let after = try answer("GetRanging", [], snapshot)
        #expect(after.body.map(\.typeSignature) == ["x", "s", "a{sv}", "aa{sv}"])
        #expect(after.body[2]["minor"]?.integer == 65535)
        let beacons = try #require(after.body[3].elements)
        #expect(beacons.map { $0["rank"]?.integer } == [1, 2])
        #expect(beacons[0]["rssi_filtered"] == .double(-60.5))
        #expect(beacons[0]["distance_m"] == nil)
    }

    @Test("of any number of beacons the nearest 500 are told, in the property by identity")
    func manyBeacons() throws {
        var snapshot = empty
        // The nearest ones have the greatest identities.
        let ids = (0..<10_000).map { BeaconID(uuid: ProximityUUID(7), major: 1, minor: UInt16(10_000 - $0)) }
        snapshot.ranking = ranking(nearest: ids[0], ids)
        let told = try #require(try answer("GetRanging", [], snapshot).body[3].elements)
        #expect(told.map { $0["rank"]?.integer } == (1...500).map { $0 })
        #expect(told.first?["minor"]?.integer == 10_000)
        let property = try answer(
            "Get", [.string(Beacond1.interface), .string("Beacons")], interface: properties, snapshot)
        let present = try #require(property.body[0].content.elements)
        #expect(present.map { $0["minor"]?.integer } == (9501...10_000).map { $0 })
    }

    @Test("tools find the way from the root")
    func toolsFind() throws {
        for (path, child) in [("/", "org"), ("/org", "beacond"), ("/org/beacond", "Beacond1")] {
            let text = try #require(
                try answer("Introspect", interface: "org.freedesktop.DBus.Introspectable", path: path).body.first?.text)
            #expect(text.contains("<node name=\"\(child)\"/>"))
        }
        for path in ["/or", "/org/beacon", "/org/beacond/Beacond1/x", "/orgbeacond"] {
            let answer = try answer("Introspect", interface: "org.freedesktop.DBus.Introspectable", path: path)
            #expect(answer.errorName == .unknownObject)
        }
    }

    @Test("a call may leave the interface out")
    func callMayLeave() throws {
        #expect(try answer("GetRanging", interface: nil).kind == .answer)
    }

    @Test("syncing is no answer by itself")
    func syncingIsNoAnswer() {
        guard case .sync = outcome("Sync") else {
            Issue.record("it is answered")
            return
        }
    }

    @Test("wrong calls are refused by name")
    func wrongCalls() throws {
        let cases: [(String, [BusValue], String, String, BusError.Name)] = [
            ("Nothing", [], Beacond1.interface, Beacond1.path, .unknownMethod),
            ("GetRanging", [], "a.b", Beacond1.path, .unknownMethod),
            ("GetRanging", [], Beacond1.interface, "/", .unknownObject),
            ("GetRanging", [.byte(1)], Beacond1.interface, Beacond1.path, .invalidArguments),
            ("Sync", [.byte(1)], Beacond1.interface, Beacond1.path, .invalidArguments),
            ("Get", [], properties, Beacond1.path, .invalidArguments),
            ("Get", [.string("a.b"), .string("Version")], properties, Beacond1.path, .unknownProperty),
            ("Get", [.string(Beacond1.interface), .string("No")], properties, Beacond1.path, .unknownProperty),
            ("GetAll", [.uint32(1)], properties, Beacond1.path, .invalidArguments),
        ]
        for (member, body, interface, path, name) in cases {
            #expect(try answer(member, body, interface: interface, path: path).errorName == name, "\(member)")
        }
        let set = [BusValue.string(Beacond1.interface), .string("Version"), .variant(.string("2"))]
        #expect(
            try answer("Set", set, interface: properties).errorName?.rawValue
                == "org.freedesktop.DBus.Error.PropertyReadOnly")
    }

    @Test("any call is answered")
    func anyCall() throws {
        var generator = SeededGenerator(seed: 2)
        let members = ["Get", "GetAll", "Set", "Introspect", "GetRanging", "Ping", "", "Æ", "X"]
        let interfaces = [properties, Beacond1.interface, "org.freedesktop.DBus.Introspectable", "", nil]
        let values: [BusValue] = [
            .string(Beacond1.interface), .string(""), .string("Version"), .byte(1), .variant(.variant(.byte(2))),
            .path("/"),
            .array([], of: "s"), .structure([.byte(1)]), .properties([:]), .other(104),
        ]
        for _ in 0..<5000 {
            let body = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                values.randomElement(using: &generator) ?? .byte(0)
            }
            let path = ["/", Beacond1.path, "/org", "", "x"].randomElement(using: &generator) ?? ""
            _ = try answer(
                members.randomElement(using: &generator) ?? "", body,
                interface: interfaces.randomElement(using: &generator) ?? nil, path: path)
        }
    }
}

@Suite("What the bus is told")
struct SignalTests {
    private func record(_ event: DaemonEvent) -> EventRecord {
        EventRecord(id: 1, time: Timestamp(microseconds: 1), event: event)
    }

    @Test("events, and then the properties that they have changed")
    func eventsAndThenProperties() throws {
        let values = BusValues(names: Names(), version: "1")
        var signals = BusSignals(values: values, empty)
        var snapshot = empty
        snapshot.ranking = ranking(nearest: hall, hall)
        let told = signals.signals(
            [
                record(.ranging(.entered(hall))), record(.ranging(.proximity(hall, .near, previous: .unknown))),
                record(.ranging(.nearest(hall, previous: nil))),
            ], snapshot)
        #expect(told.map(\.member) == ["Entered", "NearestChanged", "PropertiesChanged"])
        for signal in told { _ = try signal.marshalled() }
        let changed = try #require(told.last?.body[1].entries)
        #expect(Set(changed.keys.compactMap(\.text)) == ["Nearest", "Beacons"])
        #expect(told[1].body[1] == .properties([:]))

        // Levels change all the time; that is nobody's property.
        snapshot.ranking?.beacons[0].rssi = -40
        #expect(signals.signals([], snapshot).isEmpty)
        snapshot.ranking = ranking(nearest: nil)
        let gone = signals.signals([record(.ranging(.exited(hall)))], snapshot)
        #expect(gone.map(\.member) == ["Exited", "PropertiesChanged"])
    }

    @Test("the beacons are told again when they or their names change, and not when only their order does")
    func sameBeacons() throws {
        let names = Names()
        var signals = BusSignals(values: BusValues(names: names, version: "1"), empty)
        var snapshot = empty
        func changed(_ ids: BeaconID...) throws -> [BusValue: BusValue] {
            snapshot.ranking = ranking(nearest: nil, ids)
            return try signals.signals([], snapshot).last.map { try #require($0.body[1].entries) } ?? [:]
        }
        let one = try changed(hall)
        #expect(one.keys.compactMap(\.text) == ["Beacons"])
        let both = try changed(hall, shop)
        #expect(both[.string("Beacons")]?.content.elements?.count == 2)
        let reordered = try changed(shop, hall)
        #expect(reordered.isEmpty)
        names.add([hall: "Hall"])
        let named = try changed(shop, hall)
        #expect(named[.string("Beacons")]?.content.elements?.first?["name"]?.text == "Hall")
        let again = try changed(shop, hall)
        #expect(again.isEmpty)
    }
}
