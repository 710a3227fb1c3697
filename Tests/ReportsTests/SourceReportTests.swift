import Beacon
import Ranging
import Reports
import TestSupport
import Testing

@Suite struct SourceReportTests {
    @Test("nothing heard, nothing reported")
    func nothingHeard() {
        let report = report([])
        #expect(report.beacons.isEmpty && report.span == nil && report.count == 0)
    }

    @Test("level quantiles are those of the readings")
    func levelQuantiles() throws {
        // -100 … -1 dBm once each, in no order.
        let readings = (0..<100).map { (number: Int) in
            sighting(1, at: Double(number) / 10, rssi: Int8(-1 - (number * 37) % 100))
        }
        let beacon = try #require(report([readings]).beacons.first)
        #expect(beacon.rssi == RSSIQuantiles(min: -100, p10: -91, median: -51, p90: -11, max: -1))
        #expect(beacon.count == 100)
    }

    @Test("the distance of a steady beacon is that of its level, corrections included")
    func distanceOfSteady() throws {
        var settings = RangingSettings()
        settings.corrections = [BeaconConstraint(beacon(1)): BeaconCorrection(measuredPower: -70)]
        let steady = signal(1, until: 60) { _ in -70 }
        let distance = try #require(report([steady], settings: settings).beacons.first?.distance)
        #expect(abs(distance.median - 1) < 0.03)
        let claimed = try #require(report([steady]).beacons.first?.distance)
        // At 2.2 the level falls by 22 dB a decade from -59 dBm at 1 m.
        #expect(abs(claimed.median - 3.162) < 0.1)
    }

    @Test("dwell is the time present: gaps beyond the exit time are visits apart")
    func dwellIsTime() throws {
        let coming = signal(1, until: 120) { time in
            // 20 s, a gap of 3 s that is no absence, 20 s more; a minute later 10 s.
            time < 20 || (23.0..<43).contains(time) || (103.0..<113).contains(time) ? -70 : nil
        }
        let beacon = try #require(report([coming]).beacons.first)
        #expect(beacon.visits.visits.count == 2)
        #expect(abs(beacon.visits.seconds - 52.8) < 0.3)
        #expect(beacon.count == 500)
        #expect(beacon.firstSeen == time(0))
        #expect(abs(beacon.lastSeen.seconds - 112.9) < 0.001)
        #expect(abs((beacon.visits.longestSeconds ?? 0) - 42.9) < 0.2)
        #expect(abs((beacon.visits.medianSeconds ?? 0) - 9.9) < 0.2)
    }

    @Test("beacons are listed by their dwell")
    func beaconsAreListed() {
        let report = report([signal(1, until: 5) { _ in -50 }, signal(2, until: 20) { _ in -90 }])
        #expect(report.beacons.map(\.id) == [beacon(2), beacon(1)])
        #expect(report.count == 250)
        #expect(report.span?.lowerBound == time(0))
    }

    @Test("what has no level counts as presence, what has no time is only counted")
    func whatHasNoLevel() throws {
        let report = report([[
            sighting(1, at: 1, rssi: nil), sighting(1, at: 2, rssi: nil), sighting(1, at: nil, rssi: -50),
        ]])
        let beacon = try #require(report.beacons.first)
        #expect(beacon.count == 2 && beacon.rssi == nil && beacon.distance == nil)
        #expect(abs(beacon.visits.seconds - 1) < 0.001)
        #expect(report.withoutTime == 1 && report.count == 2)
    }

    @Test("the series keep every sighting in a bounded number of pieces", arguments: [60.0, 3600, 200_000])
    func seriesKeep(span: Double) throws {
        let report = report([
            signal(1, until: span, interval: span / 1000) { $0 < span / 2 ? -60 : nil },
            signal(2, until: span, interval: span / 1000) { _ in -60 },
        ])
        let first = try #require(report.beacons.first { $0.id == beacon(1) }).series
        let second = try #require(report.beacons.first { $0.id == beacon(2) }).series
        #expect(first.count == second.count && first.count <= 145)
        #expect(report.bucketSeconds >= 1)
        #expect(first.reduce(0) { $0 + $1.count } == 500)
        #expect(second.reduce(0) { $0 + $1.count } == 1000)
        // All of the first beacon's are in the first half.
        let half = Int(span / 2 / report.bucketSeconds) + 2
        #expect(first.dropFirst(half).allSatisfy { $0.count == 0 })
    }

    /// The second has buckets of several intervals. The third has so many intervals that they are folded.
    @Test(
        "each bucket has the sightings of its time, wherever in a second the recording begins",
        arguments: [(6.1, 0.1, 1), (300, 0.5, 1), (4000, 1, 6)] as [(Double, Double, UInt16)])
    func bucketsOfRecording(seconds: Double, step: Double, beacons: UInt16) throws {
        for part in stride(from: 0, to: 1, by: 0.13) {
            let times = (0..<Int(seconds / step)).map { time(1_700_000_000 + part + Double($0) * step) }
            var recording = SourceRecording()
            for moment in times {
                for minor in 0..<beacons {
                    recording.add(
                        Sighting(time: moment, rssi: -60, beacon: IBeacon(id: beacon(minor), measuredPower: -59)))
                }
            }
            let report = recording.report(localTime: .utc)
            let begin = try #require(report.seriesBegin)
            #expect(begin <= times[0])
            let width = Int64(report.bucketSeconds * 1_000_000)
            let series = try #require(report.beacons.first).series.map(\.count)
            // A bucket ends with a tick, which has what was received up to its time.
            var counts = [Int](repeating: 0, count: series.count)
            for moment in times {
                let bucket = Int(max(0, moment.microseconds - begin.microseconds - 1) / width)
                if counts.indices.contains(bucket) { counts[bucket] += 1 }
            }
            #expect(series == counts && series.last != 0)
        }
    }

    @Test("memory is bounded for a long source: intervals become longer, and nothing is lost")
    func memoryIsBounded() throws {
        // Forty beacons for an hour are 144,000 seconds of beacons.
        let signals = (0..<40).map { minor in signal(UInt16(minor), until: 3600, interval: 1) { _ in -60 } }
        let report = report(signals)
        #expect(report.beacons.count == 40)
        #expect(report.beacons.allSatisfy { $0.count == 3600 && $0.visits.visits.count == 1 })
        #expect(report.bucketSeconds <= 60)
    }

    @Test("the nearest and the ways between are told")
    func nearestAndWays() throws {
        // One comes nearer as the other goes, there and back.
        let report = report([
            signal(1, until: 180) { (60.0..<120).contains($0) ? -85 : -55 },
            signal(2, until: 180) { (60.0..<120).contains($0) ? -55 : -85 },
        ])
        let one = try #require(report.beacons.first { $0.id == beacon(1) })
        #expect(report.transitions.map(\.count) == [1, 1])
        #expect(Set(report.transitions.map(\.from)) == [beacon(1), beacon(2)])
        #expect(one.nearest.visits.count == 2)
        #expect(abs((one.nearestShare ?? 0) - 2.0 / 3) < 0.1)
    }

    @Test("a region is visited with its beacons")
    func regionIsVisited() throws {
        var settings = RangingSettings()
        settings.regions = [BeaconRegion(identifier: "House", constraint: BeaconConstraint(uuid: museum))]
        let coming = signal(1, until: 200) { $0 < 30 || (100.0..<150).contains($0) ? -60 : nil }
        let region = try #require(
            report([coming, signal(2, until: 200) { $0 > 198 ? -60 : nil }], settings: settings).regions.first)
        #expect(region.name == "House")
        #expect(region.visits.visits.count == 3)
    }

    @Test("beacons beyond the bound are not in the report, and are counted")
    func beaconsBeyond() {
        var settings = RangingSettings()
        settings.maximumBeacons = 3
        let report = report(
            [(0..<10).map { sighting(UInt16($0 % 5), at: Double($0) / 100, rssi: -60) }], settings: settings)
        #expect(report.beacons.count <= 3)
        #expect(report.count + report.dropped == 10)
    }

    private static let instants: [Int64] = [
        .min, .min + 1, -9_000_000_000_000_000_000, -1, 0, 1, 1_700_000_000_000_000, 9_000_000_000_000_000_000,
        .max - 1, .max,
    ]

    @Test("any two times in any order do no harm", arguments: instants)
    func anyTwoTimes(first: Int64) {
        for second in Self.instants {
            var recording = SourceRecording()
            for microseconds in [first, second, first] {
                recording.add(
                    Sighting(
                        time: Timestamp(microseconds: microseconds), rssi: -60,
                        beacon: IBeacon(id: beacon(1), measuredPower: -59)))
            }
            let report = recording.report(localTime: .utc)
            #expect(report.span?.lowerBound.microseconds == min(first, second))
            #expect(report.span?.upperBound.microseconds == max(first, second))
            for format in ReportFormat.allCases { #expect(!report.rendered(as: format, localTime: .utc).isEmpty) }
        }
    }

    @Test("random sightings do no harm, and no more are reported than were heard", arguments: 1...20)
    func randomSightings(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var settings = RangingSettings()
        settings.maximumBeacons = Int.random(in: 1...50, using: &random)
        var recording = SourceRecording(settings: settings)
        var base = Int64.random(in: .min ... .max, using: &random)
        var heard = 0
        for _ in 0..<3000 {
            switch Int.random(in: 0..<40, using: &random) {
            case 0: base = Int64.random(in: .min ... .max, using: &random)
            case 1: base &+= Int64.random(in: -100_000_000...100_000_000, using: &random)
            default: base &+= Int64.random(in: -20_000...200_000, using: &random)
            }
            recording.isBlind = Int.random(in: 0..<100, using: &random) == 0
            recording.add(
                Sighting(
                    time: Timestamp(microseconds: base),
                    rssi: Bool.random(using: &random) ? Int8.random(in: .min ... .max, using: &random) : nil,
                    beacon: IBeacon(
                        id: beacon(UInt16.random(in: 0..<80, using: &random)),
                        measuredPower: Int8.random(in: .min ... .max, using: &random))))
            heard += 1
        }
        let report = recording.report(localTime: .utc)
        #expect(report.beacons.count <= settings.maximumBeacons)
        #expect(report.count == report.beacons.reduce(0) { $0 + $1.count })
        #expect(report.count <= heard)
        for beacon in report.beacons {
            for (last, next) in zip(beacon.visits.visits, beacon.visits.visits.dropFirst()) {
                #expect(last.lowerBound <= next.lowerBound)
            }
        }
    }
}
