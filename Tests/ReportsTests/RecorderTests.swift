import Beacon
import Ranging
import Reports
import Testing

@Suite struct RecorderTests {
    /// Ticks twice a second, with a beacon that is heard ten times a second.
    private struct Bench {
        var ranger = Ranger()
        var recorder = ObservationRecorder(interval: 60)
        var intervals: [RecordedInterval] = []
        /// As told last.
        var spans: [Int: RecordedSpan] = [:]

        mutating func run(from start: Double, to end: Double, isBlind: Bool = false, isHeard: Bool = true) {
            var moment = start
            while moment < end {
                let heard = isHeard ? (1...5).map { sighting(1, at: moment + Double($0) / 10 - 0.05, rssi: -60) } : []
                for sighting in heard { ranger.add(sighting) }
                moment += 0.5
                let (ranking, events) = ranger.tick(at: time(moment), isBlind: isBlind)
                if let over = recorder.observe(heard, ranking, events, isBlind: isBlind) { keep(over) }
            }
        }

        mutating func keep(_ over: RecordedInterval) {
            intervals.append(over)
            for span in over.spans { spans[span.id] = span }
        }

        mutating func finish() -> [RecordedSpan] {
            if let last = recorder.finish() { keep(last) }
            return spans.values.sorted { $0.id < $1.id }
        }

        var count: Int { intervals.flatMap(\.accumulator.beacons).reduce(0) { $0 + $1.count } }
    }

    private func seconds(_ spans: [RecordedSpan], _ subject: RecordedSpan.Subject) -> [Double] {
        spans.filter { $0.subject == subject }.map(\.seconds)
    }

    @Test("intervals begin at multiples of their length, and hold everything once")
    func intervalsBegin() throws {
        var bench = Bench()
        bench.run(from: 1_000_000_030, to: 1_000_000_330)
        _ = bench.finish()
        #expect(bench.intervals.count >= 5)
        for interval in bench.intervals { #expect(interval.accumulator.start.microseconds % 60_000_000 == 0) }
        #expect(bench.count == 3000)
        let whole = try #require(bench.intervals[2].accumulator.beacons.first)
        #expect(abs(whole.presentSeconds - 60) < 1.1)
        #expect(abs(whole.nearestSeconds - 60) < 1.1)
        #expect(
            whole.distanceRange.map { $0.contains(DistanceScale.metres(of: whole.distances.quantile(0.5) ?? 0)) }
                == true)
    }

    @Test("a visit lasts from the first sighting to the last before the silence")
    func visitLasts() {
        var bench = Bench()
        bench.run(from: 1_000_000_000, to: 1_000_000_100)
        bench.run(from: 1_000_000_100, to: 1_000_000_200, isHeard: false)
        bench.run(from: 1_000_000_200, to: 1_000_000_230)
        let visits = seconds(bench.finish(), .visit(beacon(1)))
        #expect(visits.count == 2)
        #expect(abs(visits[0] - 99.9) < 0.11 && abs(visits[1] - 29.9) < 0.11)
    }

    @Test("while blind nothing is present for the record, and no visit ends")
    func whileBlind() throws {
        var bench = Bench()
        bench.run(from: 1_000_000_000, to: 1_000_000_100)
        bench.run(from: 1_000_000_100, to: 1_000_000_400, isBlind: true, isHeard: false)
        bench.run(from: 1_000_000_400, to: 1_000_000_460)
        let spans = bench.finish()
        #expect(seconds(spans, .visit(beacon(1))).count == 1)
        let blind = try #require(seconds(spans, .blind).first)
        #expect(abs(blind - 300) < 1.1)
        let present = bench.intervals.flatMap(\.accumulator.beacons).reduce(0) { $0 + $1.presentSeconds }
        #expect(abs(present - 160) < 2.1)
    }

    @Test("a clock that is set makes no time of the jump", arguments: [-86_400, 2_592_000, -600, 600] as [Double])
    func clockThatIsSet(jump: Double) {
        var bench = Bench()
        bench.run(from: 1_000_000_000, to: 1_000_000_100)
        bench.run(from: 1_000_000_100 + jump, to: 1_000_000_200 + jump)
        let spans = bench.finish()
        for subject in [RecordedSpan.Subject.recording, .visit(beacon(1)), .nearest(beacon(1))] {
            let pieces = seconds(spans, subject)
            #expect(abs(pieces.reduce(0, +) - 199) < 3, "\(subject)")
            #expect(pieces.allSatisfy { $0 >= 0 && $0 < 101 })
        }
        #expect(bench.count == 2000)
        let present = bench.intervals.flatMap(\.accumulator.beacons).reduce(0) { $0 + $1.presentSeconds }
        #expect(abs(present - 200) < 3)
    }

    @Test("a machine that slept has nobody visiting meanwhile")
    func machineThatSlept() {
        var bench = Bench()
        bench.run(from: 1_000_000_000, to: 1_000_000_100)
        bench.run(from: 1_000_003_700, to: 1_000_003_800, isHeard: false)
        let spans = bench.finish()
        #expect(seconds(spans, .visit(beacon(1))).count == 1)
        #expect(seconds(spans, .recording).reduce(0, +) < 202)
    }

    @Test("what is still going on can be asked for at any time")
    func whatIsStill() throws {
        var bench = Bench()
        bench.run(from: 1_000_000_000, to: 1_000_000_010)
        let running = try #require(bench.recorder.running)
        #expect(running.accumulator.beacons.map(\.count) == [100])
        #expect(running.spans.contains { $0.subject == .visit(beacon(1)) && $0.seconds > 9 })
    }

    @Test("a forged beacon that is the nearest for a moment gets no span")
    func forgedBeacon() throws {
        let region = BeaconRegion(identifier: "hall", constraint: BeaconConstraint(uuid: museum))
        var recorder = ObservationRecorder(
            interval: 60, room: RecordingRoom(known: [stranger(7)], regions: [region], unknown: 2))
        func observe(_ second: Double, _ ids: [BeaconID], _ events: [RangingEvent]) {
            let heard = ids.map { Sighting(time: time(second), rssi: -60, beacon: IBeacon(id: $0, measuredPower: -59)) }
            _ = recorder.observe(heard, Ranking(time: time(second), nearest: nil, beacons: []), events, isBlind: false)
        }
        observe(1, [stranger(100), stranger(101)], [])
        observe(2, [stranger(102)], [.nearest(stranger(102), previous: nil)])
        observe(3, [beacon(1)], [.nearest(beacon(1), previous: stranger(102))])
        let last = recorder.finish()
        let subjects = try #require(last).spans.map(\.subject)
        #expect(!subjects.contains(.nearest(stranger(102))))
        #expect(subjects.contains(.nearest(beacon(1))))
    }

    @Test("a flood of identities leaves room for who is known, and for who is heard again and again")
    func floodOfIdentities() throws {
        var ranger = Ranger()
        let region = BeaconRegion(identifier: "hall", constraint: BeaconConstraint(uuid: museum))
        var recorder = ObservationRecorder(
            interval: 60, room: RecordingRoom(known: [stranger(7)], regions: [region], unknown: 50))
        var over: RecordedInterval?
        for second in 0..<60 {
            let moment = Double(second)
            // Two hundred forged ones come first, each second others.
            var heard = (0..<200).map { number in
                Sighting(
                    time: time(moment + 0.1), rssi: -60,
                    beacon: IBeacon(id: stranger(UInt128(1000 + second * 200 + number)), measuredPower: -59))
            }
            for id in [stranger(7), stranger(8), beacon(1)] {
                heard.append(Sighting(time: time(moment + 0.5), rssi: -60, beacon: IBeacon(id: id, measuredPower: -59)))
            }
            for sighting in heard { ranger.add(sighting) }
            let (ranking, events) = ranger.tick(at: time(moment + 0.9))
            #expect(recorder.observe(heard, ranking, events, isBlind: false) == nil)
        }
        over = recorder.finish()
        let last = try #require(over)
        let beacons = last.accumulator.beacons
        let counts = Dictionary(uniqueKeysWithValues: beacons.map { ($0.id, $0.count) })
        #expect(counts[stranger(7)] == 60 && counts[beacon(1)] == 60)
        // It had to be heard for a while first.
        #expect((counts[stranger(8)] ?? 0) >= 30)
        #expect(beacons.count <= 150)
        #expect(last.accumulator.dropped + beacons.reduce(0) { $0 + $1.count } == 60 * 203)
        // Visits, and who was the nearest, are told only of who is in it.
        let strangers = last.spans.filter { span in
            switch span.subject {
            case .visit(let id), .nearest(let id): counts[id] == nil
            default: false
            }
        }
        #expect(strangers.isEmpty)
        let visits = last.spans.count { if case .visit = $0.subject { true } else { false } }
        #expect(visits <= beacons.count)
    }

    private func stranger(_ number: UInt128) -> BeaconID { BeaconID(uuid: ProximityUUID(number), major: 0, minor: 0) }
}
