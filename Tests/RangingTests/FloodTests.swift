import Beacon
import Ranging
import Testing

@Suite("Identity floods")
struct FloodTests {
    private func heard(_ id: BeaconID, from address: UInt64?, at time: Double) -> Sighting {
        Sighting(
            time: Timestamp(seconds: time), address: address.map { DeviceAddress($0) }, rssi: -60,
            beacon: IBeacon(id: id, measuredPower: -59))
    }

    private func random(_ index: Int) -> BeaconID {
        BeaconID(uuid: ProximityUUID(UInt128(1000 + index)), major: 0, minor: 0)
    }

    private func ranger(_ rules: FloodRules) -> Ranger {
        var settings = RangingSettings()
        settings.flood = rules
        return Ranger(settings: settings)
    }

    @Test("by default every identity counts")
    func off() {
        var ranger = Ranger()
        for index in 0..<100 { ranger.add(heard(random(index), from: 1, at: Double(index) / 100)) }
        #expect(ranger.trackedCount == 100)
        #expect(ranger.counters.flooded == 0)
    }

    @Test("an address with ten identities is ignored, others are not")
    func address() {
        var ranger = ranger(.home)
        for index in 0..<100 { ranger.add(heard(random(index), from: 1, at: Double(index) / 100)) }
        for index in 0..<9 { ranger.add(heard(random(1000 + index), from: 2, at: 2)) }
        ranger.add(heard(beacon(1), from: 3, at: 2))
        ranger.add(heard(beacon(1), from: nil, at: 2))
        #expect(ranger.trackedCount == 9 + 9 + 1)
        #expect(ranger.counters.flooded == 91)
    }

    @Test("an identity that changes its address is one beacon, and does not use up an address")
    func rotating() {
        var ranger = ranger(.home)
        for index in 0..<1000 as Range<UInt64> { ranger.add(heard(beacon(1), from: index, at: Double(index) / 100)) }
        #expect(ranger.counters.flooded == 0)
        #expect(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 10))?.isRotating == true)
    }

    @Test("a UUID with more than fifty pairs is ignored, fifty are not")
    func pairs() {
        var ranger = ranger(.home)
        for minor in 0..<50 as Range<UInt16> { ranger.add(heard(beacon(minor), from: UInt64(minor), at: 1)) }
        #expect(ranger.trackedCount == 50 && ranger.counters.flooded == 0)
        for minor in 0..<60 as Range<UInt16> { ranger.add(heard(beacon(minor), from: UInt64(minor), at: 2)) }
        #expect(ranger.trackedCount == 50)
        #expect(ranger.counters.flooded == 10)
    }

    @Test("pairs differ by their major values as well as by their minor values", arguments: [50, 51])
    func majors(count: Int) {
        var settings = RangingSettings()
        settings.flood.pairsPerUUID = 50
        var ranger = Ranger(settings: settings)
        for major in ([0, 0x8000] + Array(1..<UInt16(count - 1))) {
            ranger.add(heard(BeaconID(uuid: museum, major: major, minor: 0), from: nil, at: 1))
        }
        #expect(ranger.counters.flooded == (count == 51 ? 1 : 0))
    }

    @Test("ten addresses make an identity a rotating one, and nine do not")
    func tenth() {
        var ranger = ranger(.home)
        for index in 0..<9 as Range<UInt64> { ranger.add(heard(beacon(1), from: index, at: 1)) }
        #expect(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 1))?.isRotating == false)
        ranger.add(heard(beacon(1), from: 9, at: 1))
        #expect(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 1))?.isRotating == true)
    }

    @Test("each rule works alone, and does what it says and nothing else")
    func alone() {
        func ignored(_ change: (inout FloodRules) -> Void) -> [Int] {
            var rules = FloodRules()
            change(&rules)
            // Many identities of one address, many addresses of one identity, many pairs of one UUID.
            var rangers = (0..<3).map { _ in ranger(rules) }
            for index in 0..<20 {
                rangers[0].add(heard(random(index), from: 7, at: 1))
                rangers[1].add(heard(beacon(1), from: UInt64(index), at: 1))
                rangers[2].add(heard(beacon(UInt16(index)), from: nil, at: 1))
            }
            return rangers.map(\.counters.flooded)
        }
        #expect(ignored { _ in } == [0, 0, 0])
        #expect(ignored { $0.identitiesPerAddress = 5 } == [16, 0, 0])
        #expect(ignored { $0.addressesPerIdentity = 5 } == [0, 0, 0])
        #expect(ignored { $0.pairsPerUUID = 5 } == [0, 0, 15])
    }

    @Test("an identity is shown as rotating although no other rule is set")
    func rotatingAlone() {
        var rules = FloodRules()
        rules.addressesPerIdentity = 5
        var ranger = ranger(rules)
        for index in 0..<4 as Range<UInt64> { ranger.add(heard(beacon(1), from: index, at: 1)) }
        #expect(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 1))?.isRotating == false)
        ranger.add(heard(beacon(1), from: 4, at: 1))
        #expect(ranger.explanation(of: beacon(1), at: Timestamp(seconds: 1))?.isRotating == true)
    }

    @Test("identities are counted for 4096 addresses; with one more, all counts start from zero")
    func countedAddresses() {
        var rules = FloodRules()
        rules.identitiesPerAddress = 2
        for (others, flooded) in [(4095, 1), (4096, 0)] as [(UInt64, Int)] {
            var ranger = ranger(rules)
            ranger.add(heard(beacon(1), from: 0, at: 1))
            for address in 1...others { ranger.add(heard(beacon(1), from: address, at: 1)) }
            ranger.add(heard(beacon(2), from: 0, at: 1))
            #expect(ranger.counters.flooded == flooded, "\(others) others")
        }
    }

    @Test("4096 addresses are remembered as floods; with one more, all others are forgotten")
    func rememberedFloods() {
        var rules = FloodRules()
        rules.identitiesPerAddress = 2
        var ranger = ranger(rules)
        for address in 0..<4096 as Range<UInt64> {
            for minor in [1, 2] as [UInt16] { ranger.add(heard(beacon(minor), from: address, at: 1)) }
        }
        // The second identity of each.
        #expect(ranger.counters.flooded == 4096)
        ranger.add(heard(beacon(1), from: 0, at: 1))
        #expect(ranger.counters.flooded == 4097)
        for minor in [1, 2] as [UInt16] { ranger.add(heard(beacon(minor), from: 4096, at: 1)) }
        #expect(ranger.counters.flooded == 4098)
        ranger.add(heard(beacon(1), from: 0, at: 1))
        #expect(ranger.counters.flooded == 4098)
        ranger.add(heard(beacon(1), from: 4096, at: 1))
        #expect(ranger.counters.flooded == 4099)
    }

    @Test("the guard's memory is bounded")
    func bounded() {
        var ranger = ranger(.home)
        for index in 0..<50_000 { ranger.add(heard(random(index), from: UInt64(index), at: Double(index) / 1000)) }
        #expect(ranger.trackedCount == 10_000)
    }
}
