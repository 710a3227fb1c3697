import Beacon
import Broker
import Events
import MQTT
import Ranging
import Settings
import Testing

@Suite("Beacons with names, if there are too many")
struct NamedBeaconsTests {
    private let names = Names()
    private static let most = NamedBeacons.most

    private static func id(_ number: Int) -> BeaconID {
        BeaconID(uuid: ProximityUUID(7), major: 1, minor: UInt16(number))
    }

    private static func list(_ range: Range<Int>) -> [BeaconID: String] {
        Dictionary(uniqueKeysWithValues: range.map { (id($0), "Beacon \($0)") })
    }

    /// The numbers of the chosen beacons beyond the first ones.
    private func late(_ beacons: NamedBeacons) -> [Int] {
        #expect(beacons.chosen.count == Self.most)
        return beacons.chosen.keys.map { Int($0.minor) }.filter { $0 >= Self.most - 3 }.sorted()
    }

    @Test("first those that the configuration names, then those that were received, then the others in order")
    func order() {
        var beacons = NamedBeacons()
        let all = Self.list(0..<3000)
        beacons.update(all, KnownBeacons(), present: [])
        #expect(late(beacons) == [Self.most - 3, Self.most - 2, Self.most - 1])
        beacons.update(all, KnownBeacons(), present: [Self.id(2000), Self.id(5000)])
        #expect(late(beacons) == [Self.most - 3, Self.most - 2, 2000])
        beacons.update(all, KnownBeacons(), present: [])
        #expect(late(beacons) == [Self.most - 3, Self.most - 2, 2000], "it keeps its place")
        var renamed = all
        renamed[Self.id(2999)] = "Star Globe"
        beacons.update(renamed, KnownBeacons(names: [Self.id(2999): "Star Globe"]), present: [])
        #expect(late(beacons) == [Self.most - 3, 2000, 2999])
        // However many are received, those that the configuration names stay.
        let flood = Set((1100..<2900).map(Self.id))
        beacons.update(renamed, KnownBeacons(names: [Self.id(2999): "Star Globe"]), present: flood)
        #expect(beacons.chosen.count == Self.most && beacons.chosen[Self.id(2999)] == "Star Globe")
        beacons.update(Self.list(0..<Self.most), KnownBeacons(), present: [])
        #expect(beacons.chosen == Self.list(0..<Self.most) && !beacons.hasLeftOut)
    }

    private func states() throws -> StateMessages {
        var settings = MQTTSettings(broker: try BrokerAddress("mqtt://broker"), host: "pi", outboxFile: "/nowhere")
        settings.discoveryPrefix = "homeassistant"
        return StateMessages(
            settings: settings, topics: Topics(prefix: "beacond", host: "pi"), names: names, version: "1.2.3")
    }

    private func ranking(_ beacons: BeaconID...) -> Ranking {
        let time = Timestamp(seconds: 1_700_000_000)
        return Ranking(
            time: time, nearest: nil,
            beacons: beacons.enumerated().map { index, id in
                RangedBeacon(
                    rank: index + 1, id: id, rssi: -60, filteredRSSI: -60, measuredPower: -59, distance: nil,
                    proximity: .near, lastSeen: time, count: 3)
            })
    }

    /// What was published about presence, by beacon, and how many entities were announced and removed.
    private func told(_ states: inout StateMessages) -> (presence: [String: String], announced: Int, removed: Int) {
        var told: (presence: [String: String], announced: Int, removed: Int) = ([:], 0, 0)
        while let next = states.next() {
            if next.topic.hasPrefix("beacond/pi/presence/") {
                told.presence[String(next.topic.dropFirst("beacond/pi/presence/".count))] = next.payload
            } else if next.topic.hasPrefix("homeassistant/"), next.topic.contains("_1_") {
                if next.payload.isEmpty { told.removed += 1 } else { told.announced += 1 }
            }
        }
        return told
    }

    @Test("a site's long list is published in part, and that is told once")
    func longList() throws {
        var states = try states()
        names.replaceListed(with: Self.list(0..<3000))
        states.update(ranking(Self.id(2000)), isBlind: false)
        states.siteIsKnown()
        let first = told(&states)
        #expect(first.presence.count == Self.most && first.announced == 3 * Self.most && first.removed == 0)
        #expect(first.presence.filter { $0.value == "present" }.keys.sorted() == ["\(Self.id(2000))"])
        #expect(states.takeLeftOut() == true)
        #expect(states.takeLeftOut() == nil)
        // One that is received takes the place of one that was not.
        states.update(ranking(Self.id(2001)), isBlind: false)
        let second = told(&states)
        #expect(
            second.presence == [
                "\(Self.id(2000))": "absent", "\(Self.id(2001))": "present", "\(Self.id(Self.most - 2))": "",
            ])
        #expect(second.announced == 3 && second.removed == 3)
        states.update(ranking(Self.id(2001)), isBlind: false)
        #expect(told(&states).presence.isEmpty)
        names.replaceListed(with: Self.list(0..<Self.most))
        states.update(ranking(), isBlind: false)
        #expect(told(&states).presence.filter { $0.value.isEmpty }.count == 2)
        #expect(states.takeLeftOut() == false)
    }

    @Test("what a former run has published of those that are left out is removed")
    func formerRun() throws {
        var states = try states()
        names.replaceListed(with: Self.list(0..<3000))
        states.siteIsKnown()
        states.update(ranking(), isBlind: false)
        _ = told(&states)
        states.found("beacond/pi/presence/\(Self.id(2000))")
        #expect(told(&states).presence == ["\(Self.id(2000))": ""])
    }
}
