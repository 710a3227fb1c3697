import Beacon
import Health
import TestSupport
import Testing

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)

private func sighting(
    _ seconds: Double, _ level: Int8? = -60, address: UInt64 = 1, claim: Int8 = -59, battery: UInt8? = nil,
    of id: BeaconID = beacon
) -> Sighting {
    Sighting(
        time: Timestamp(seconds: seconds), address: DeviceAddress(address), rssi: level,
        beacon: IBeacon(id: id, measuredPower: claim, battery: battery))
}

@Suite struct MinuteCollectorTests {
    private func minute(_ sightings: [Sighting]) throws -> BeaconMinute {
        var collector = MinuteCollector()
        for sighting in sightings { collector.add(sighting) }
        return try #require(collector.finish(0).heard.first)
    }

    @Test("a minute has the stronger level, the interval, the claim and the battery")
    func summary() throws {
        let minute = try minute((0..<120).map { sighting(Double($0) / 2, $0 % 5 == 0 ? -55 : -62, battery: 80) })
        #expect(minute.count == 120)
        #expect(minute.level == -55)
        #expect(minute.interval == 0.5)
        #expect(!minute.isIrregular && minute.returns == 0)
        #expect(minute.claim == -59 && minute.battery == 80)
        #expect((2.7...2.9).contains(minute.jump))
    }

    @Test("a sender that comes back after another one is counted; one with a new address for each packet is not")
    func senders() throws {
        #expect(try minute((0..<60).map { sighting(Double($0), address: UInt64($0 % 2)) }).returns == 58)
        #expect(try minute((0..<60).map { sighting(Double($0), claim: $0 % 3 == 0 ? -59 : -65) }).returns > 30)
        #expect(try minute((0..<60).map { sighting(Double($0), address: UInt64($0)) }).returns == 0)
        #expect(try minute((0..<60).map { sighting(Double($0), address: UInt64($0 / 20)) }).returns == 0)
    }

    @Test("the interval of a slow beacon is known after some minutes")
    func slow() {
        var collector = MinuteCollector()
        var intervals: [Double?] = []
        for minute in 0..<6 {
            for packet in 0..<6 { collector.add(sighting(Double(minute * 60 + packet * 10))) }
            intervals.append(collector.finish(Int64(minute)).heard.first?.interval)
        }
        #expect(intervals == [nil, nil, 10, nil, 10, nil])
    }

    @Test("a beacon that was away for ten minutes starts again, and others keep their gaps")
    func away() {
        let others = (3...6).map { BeaconID(uuid: ProximityUUID(7), major: 1, minor: $0) }
        var collector = MinuteCollector()
        var intervals: [[Double?]] = []
        for packet in 0..<7 { collector.add(sighting(Double(packet))) }
        for minute in 0..<12 {
            for (id, packet) in others.flatMap({ id in (0..<6).map { (id, $0) } }) {
                collector.add(sighting(Double(minute * 60 + packet * 10), of: id))
            }
            if minute == 11 { for packet in 0..<7 { collector.add(sighting(Double(660 + packet))) } }
            intervals.append(collector.finish(Int64(minute)).heard.map(\.interval))
        }
        // Six gaps of its first minute and six of its last would be enough for an interval.
        #expect(intervals[11] == [nil, nil, nil, nil, nil])
        #expect(intervals[10] == [10, 10, 10, 10])
    }

    @Test("a minute in which nothing was received has nothing in it, and a blind one neither")
    func nothing() {
        var collector = MinuteCollector()
        collector.add(sighting(1))
        #expect(collector.finish(0).heard.count == 1)
        #expect(collector.finish(1).heard.isEmpty)
        collector.add(sighting(121))
        #expect(collector.finish(2, isBlind: true).heard.isEmpty)
        collector.add(sighting(181, nil))
        collector.add(sighting(182, 127))
        #expect(collector.finish(3).heard.isEmpty)
    }

    @Test("a flood of identities has a limit")
    func flood() {
        var collector = MinuteCollector()
        for number in 0..<20_000 {
            let id = BeaconID(uuid: ProximityUUID(UInt128(number)), major: 1, minor: 1)
            collector.add(sighting(1, of: id))
        }
        #expect(collector.finish(0).heard.count == MinuteCollector.mostBeacons)
    }
}
