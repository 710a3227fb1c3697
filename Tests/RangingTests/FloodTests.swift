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

    @Test("the guard's memory is bounded")
    func bounded() {
        var ranger = ranger(.home)
        for index in 0..<50_000 { ranger.add(heard(random(index), from: UInt64(index), at: Double(index) / 1000)) }
        #expect(ranger.trackedCount == 10_000)
    }
}
