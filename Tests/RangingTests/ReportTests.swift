import Beacon
import Ranging
import Testing

@Suite("Report")
struct ReportTests {
    private func report(_ sightings: [Sighting], settings: RangingSettings = .init()) -> Report {
        var builder = ReportBuilder(settings: settings)
        for sighting in sightings {
            builder.add(sighting)
        }
        return builder.report()
    }

    @Test("nothing heard, nothing reported")
    func empty() {
        let report = report([])
        #expect(report.beacons.isEmpty && report.firstTime == nil && report.lastTime == nil && report.count == 0)
    }

    @Test("quantiles are those of the readings, and the distances' run the other way")
    func quantiles() throws {
        // -100 … -1 dBm once each, in no order.
        let sightings = (0..<100).map { sighting(1, at: Double($0) / 10, rssi: Int8(-1 - ($0 * 37) % 100)) }
        let beacon = try #require(report(sightings).beacons.first)
        #expect(beacon.rssi == RSSIQuantiles(min: -100, p10: -91, median: -51, p90: -11, max: -1))
        let distance = try #require(beacon.distance)
        // At 2.2 the level falls by 22 dB a decade from -59 dBm at 1 m.
        #expect(abs(distance.p10 - 0.00657) < 0.0001)
        #expect(abs(distance.median - 0.4329) < 0.001)
        #expect(abs(distance.p90 - 28.48) < 0.01)
    }

    @Test("quantiles do not depend on the order of sightings")
    func order() {
        var noise = SeededNoise(seed: 2)
        let sightings = (0..<500).map {
            sighting(1, at: Double($0) / 10, rssi: reading(noise.normal(deviation: 8) - 70))
        }
        let straight = report(sightings).beacons.first
        let shuffled = report(sightings.shuffled(using: &noise)).beacons.first
        #expect(straight?.rssi == shuffled?.rssi)
        #expect(straight?.firstSeen == shuffled?.firstSeen)
        #expect(straight?.lastSeen == shuffled?.lastSeen)
    }

    @Test("dwell is the time present: gaps beyond the exit time are visits apart")
    func dwell() throws {
        let signal = ScriptedBeacon(minor: 1) { time in
            // 20 s, a gap of 3 s that is no absence, 20 s more; a minute later 10 s.
            time < 20 || (23.0..<43).contains(time) || (103.0..<113).contains(time) ? -70 : nil
        }
        let beacon = try #require(report(script([signal], until: 120)).beacons.first)
        #expect(beacon.visits == 2)
        #expect(abs(beacon.dwell - 52.8) < 0.05)
        #expect(beacon.count == 500)
        #expect(beacon.firstSeen == Timestamp(seconds: 0))
        #expect(abs(beacon.lastSeen.seconds - 112.9) < 0.001)
    }

    @Test("beacons are listed by their dwell")
    func listed() {
        let short = ScriptedBeacon(minor: 1) { $0 < 5 ? -50 : nil }
        let long = ScriptedBeacon(minor: 2) { _ in -90 }
        let report = report(script([short, long], until: 20))
        #expect(report.beacons.map(\.id) == [beacon(2), beacon(1)])
        #expect(report.count == 250)
        #expect(report.firstTime == Timestamp(seconds: 0))
    }

    @Test("what has no level counts as presence, what has no time is only counted")
    func withoutLevelOrTime() throws {
        let report = report([
            sighting(1, at: 1, rssi: nil), sighting(1, at: 2, rssi: nil), sighting(1, at: nil, rssi: -50),
        ])
        let beacon = try #require(report.beacons.first)
        #expect(beacon.count == 2 && beacon.rssi == nil && beacon.distance == nil && beacon.dwell == 1)
        #expect(report.withoutTime == 1 && report.count == 2)
    }

    @Test("presence over time keeps every sighting in a bounded number of buckets", arguments: [60.0, 3600, 1e6])
    func presence(span: Double) throws {
        let present = ScriptedBeacon(minor: 1, interval: span / 1000) { $0 < span / 2 ? -60 : nil }
        let all = ScriptedBeacon(minor: 2, interval: span / 1000) { _ in -60 }
        let report = report(script([present, all], until: span))
        let first = try #require(report.beacons.first { $0.id == beacon(1) }?.presence)
        let second = try #require(report.beacons.first { $0.id == beacon(2) }?.presence)
        #expect(first.counts.count <= 120 && first.counts.count == second.counts.count)
        #expect(first.start == second.start && first.bucketSeconds == second.bucketSeconds)
        #expect(first.bucketSeconds >= span / 121)
        #expect(first.bucketSeconds <= max(1, span / 59))
        #expect(first.counts.reduce(0, +) == 500)
        #expect(second.counts.reduce(0, +) == 1000)
        // All of the first beacon's are in the first half.
        let half = Int(span / 2 / first.bucketSeconds) + 1
        #expect(first.counts[half...].allSatisfy { $0 == 0 })
        #expect(second.counts.allSatisfy { $0 > 0 })
    }

    @Test("presence grows towards earlier times as well")
    func earlier() throws {
        let times = (0..<1000).map(Double.init)
        let forward = report(times.map { sighting(1, at: $0, rssi: -60) }).beacons.first?.presence
        let backward = report(times.reversed().map { sighting(1, at: $0, rssi: -60) }).beacons.first?.presence
        for presence in [forward, backward] {
            let presence = try #require(presence)
            for (index, count) in presence.counts.enumerated() {
                let start = presence.start.seconds + Double(index) * presence.bucketSeconds
                let expected = times.count { $0 >= start && $0 < start + presence.bucketSeconds }
                #expect(count == expected)
            }
        }
    }

    @Test("beacons beyond the bound are dropped and counted")
    func bounded() {
        var settings = RangingSettings()
        settings.maximumBeacons = 3
        let sightings = (0..<10).map { sighting(UInt16($0 % 5), at: Double($0), rssi: -60) }
        let report = report(sightings, settings: settings)
        #expect(report.beacons.count == 3 && report.count == 6 && report.dropped == 4)
    }
}
