import Beacon
import Testing

@Suite("Who is meant by MAJOR.MINOR")
struct BeaconKeyTests {
    private static let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"
    private let id = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 7)

    @Test("is read in each form in which beacons are named", arguments: [
        ("1.7", "1.7"), ("1/7", "1.7"), ("01.07", "1.7"), ("65535.0", "65535.0"), ("\(uuid)/1/7", "\(uuid)/1/7"),
        ("\(uuid.uppercased()).1.7", "\(uuid)/1/7"), ("636F3F8F64914BEE95F7D8CC64A863B5/1/7", "\(uuid)/1/7"),
    ])
    func forms(text: String, shown: String) throws {
        #expect(try #require(BeaconKey(text)).description == shown)
        #expect(BeaconKey(shown) == BeaconKey(text))
    }

    @Test("is nothing else", arguments: [
            "", "1", "1.", ".7", "1.7.", "1.7.9", "1 .7", "-1.7", "65536.1", "a.b", uuid, "\(uuid)/1", "\(uuid)/1/7/9",
            "1.٧",
    ])
    func refused(text: String) {
        #expect(BeaconKey(text) == nil)
    }

    @Test("without a UUID, beacons of any are meant; with one, only its own")
    func matches() throws {
        let other = BeaconID(uuid: ProximityUUID(1), major: 1, minor: 7)
        let (pair, exact) = (try #require(BeaconKey("1.7")), BeaconKey(id))
        #expect(pair.matches(id) && pair.matches(other) && exact.matches(id) && !exact.matches(other))
        #expect(!pair.matches(BeaconID(uuid: id.uuid, major: 1, minor: 8)))
        #expect(!pair.matches(BeaconID(uuid: id.uuid, major: 2, minor: 7)))
        #expect(pair.id == nil && exact.id == id && exact.pair == pair)
    }

    @Test("are in an order: those without a UUID first, then by number")
    func order() throws {
        let texts = ["1.7", "1.8", "2.1", "\(Self.uuid)/1/1", "\(Self.uuid)/1/2", "\(Self.uuid)/2/0"]
        let keys = try texts.map { try #require(BeaconKey($0)) }
        #expect(keys.reversed().sorted() == keys)
        expectOrder(keys)
    }

    /// Compares each with each: what a sort compares depends on the order that it finds.
    private func expectOrder(_ keys: [BeaconKey]) {
        for (place, key) in keys.enumerated() {
            for (other, otherKey) in keys.enumerated() { #expect((key < otherKey) == (place < other)) }
        }
    }

    @Test("are in the order of their UUIDs first, whatever their numbers are")
    func orderOfUUIDs() {
        let (low, high) = (ProximityUUID(1), ProximityUUID(1 << 64))
        let keys = [
            BeaconKey(uuid: low, major: 1, minor: 9), BeaconKey(uuid: low, major: 9, minor: 9),
            BeaconKey(uuid: high, major: 0, minor: 0),
        ]
        expectOrder(keys)
    }
}

@Suite("What the configuration says of beacons")
struct KnownBeaconsTests {
    private let one = BeaconID(uuid: ProximityUUID(1), major: 1, minor: 7)
    private let other = BeaconID(uuid: ProximityUUID(2), major: 1, minor: 7)

    @Test("the name of the whole identity counts more than that of the numbers")
    func names() throws {
        let known = KnownBeacons([BeaconKey(one).pair: .init(name: "Any"), BeaconKey(one): .init(name: "One")])
        #expect(known.name(of: one) == "One")
        #expect(known.name(of: other) == "Any")
        #expect(known.names(over: [other: "Site", one: "Site"]) == [other: "Any", one: "One"])
        #expect(known.names(over: [:]) == [one: "One"])
        #expect(known.names(over: [:], of: [other]) == [one: "One", other: "Any"])
    }

    @Test("an expectation is of a whole identity or of numbers, and needs no name")
    func expected() throws {
        let known = KnownBeacons([
            BeaconKey(one).pair: .init(name: nil, isExpected: true), BeaconKey(other): .init(name: "Other"),
        ])
        #expect(known.expected == [BeaconKey(one).pair])
        #expect(known.isExpected(one) && known.isExpected(other))
        #expect(!known.isExpected(BeaconID(uuid: one.uuid, major: 1, minor: 8)))
        #expect(known.name(of: one) == nil)
        #expect(KnownBeacons().expected.isEmpty && !KnownBeacons().isExpected(one))
    }

    @Test("what is expected is also available without names and without the beacons that are not expected")
    func onlyExpected() {
        let known = KnownBeacons([
            BeaconKey(one): .init(name: "One", isExpected: true), BeaconKey(other): .init(name: "Other"),
        ])
        #expect(known.onlyExpected == KnownBeacons([BeaconKey(one): .init(name: nil, isExpected: true)]))
        #expect(known.onlyExpected.isExpected(one) && !known.onlyExpected.isExpected(other))
    }
}

@Suite("The beacon of a scanner")
struct FleetBeaconTests {
    @Test("follows from the scanner's name: always the same, and another for each of many")
    func identity() {
        #expect(FleetBeacon.identity(of: "pi-1") == FleetBeacon.identity(of: "pi-1"))
        #expect(FleetBeacon.identity(of: "pi-1").description == "\(FleetBeacon.uuid)/31458/40985")
        let identities = Set((0..<2000).map { FleetBeacon.identity(of: "museum-pi-\($0)") })
        #expect(identities.count == 2000)
        #expect(identities.allSatisfy { $0.uuid == FleetBeacon.uuid })
    }
}
