import Beacon
import Ranging
import Testing

@Suite("Regions")
struct RegionTests {
    private let house = BeaconRegion(identifier: "house", constraint: BeaconConstraint(uuid: museum), dwell: 10)
    private let floor = BeaconRegion(identifier: "floor", constraint: BeaconConstraint(uuid: museum, major: 1))
    private let room = BeaconRegion(identifier: "room", constraint: BeaconConstraint(beacon(2)))
    private let other = BeaconRegion(identifier: "other", constraint: BeaconConstraint(uuid: museum, major: 7))

    private var settings: RangingSettings {
        var settings = RangingSettings()
        settings.regions = [house, floor, room, other]
        return settings
    }

    /// Which regions were entered, exited and dwelled in, with the time.
    private func told(_ outcome: Outcome) -> [String] {
        outcome.events.compactMap { time, event in
            switch event {
            case .regionEntered(let region): "\(Int(time)) enter \(region.identifier)"
            case .regionExited(let region, let seconds): "\(Int(time)) exit \(region.identifier) \(Int(seconds))"
            case .regionDwelled(let region): "\(Int(time)) dwell \(region.identifier)"
            default: nil
            }
        }
    }

    @Test("a region is entered with its first beacon and exited with its last, at every width")
    func widths() {
        let signals = [
            ScriptedBeacon(minor: 1) { $0 < 20 ? -70 : nil },
            ScriptedBeacon(minor: 2) { (10.0..<30).contains($0) ? -70 : nil },
        ]
        let outcome = run(script(signals, until: 60), until: 60, settings: settings)
        #expect(
            told(outcome) == [
                "1 enter house", "1 enter floor", "10 enter room", "11 dwell house", "35 exit house 34",
                "35 exit floor 34", "35 exit room 25",
            ])
    }

    @Test("a region that is left too soon is not dwelled in")
    func noDwell() {
        let signal = ScriptedBeacon(minor: 1) { $0 < 3 ? -70 : nil }
        let outcome = run(script([signal], until: 30), until: 30, settings: settings)
        #expect(!told(outcome).contains { $0.contains("dwell") })
        #expect(told(outcome).count == 4)
    }

    @Test("while the scanner is blind no region is left")
    func blind() {
        let signal = ScriptedBeacon(minor: 1) { $0 < 20 || $0 >= 621 ? -70 : nil }
        let outcome = run(
            script([signal], until: 640), until: 640, settings: settings, isBlind: { (20.0...620).contains($0) })
        #expect(told(outcome) == ["1 enter house", "1 enter floor", "11 dwell house"])
    }

    @Test("how long one was inside is told to a fraction of a second")
    func short() {
        var settings = settings
        settings.corrections = [BeaconConstraint(uuid: museum): BeaconCorrection(exitTime: 0.2)]
        let signal = ScriptedBeacon(minor: 1, interval: 10) { _ in -70 }
        let outcome = run(script([signal], until: 1), until: 0.9, interval: 0.125, settings: settings)
        #expect(outcome.times(of: .regionExited(floor, after: 0.125)) == [0.25])
    }

    @Test("any number of regions: each hears of its own beacon only")
    func many() {
        var settings = RangingSettings()
        settings.regions = (0..<1000).map {
            BeaconRegion(identifier: "\($0)", constraint: BeaconConstraint(beacon(UInt16($0))))
        }
        let signals = [5, 700].map { minor in ScriptedBeacon(minor: minor) { _ in -70 } }
        let outcome = run(script(signals, until: 5), until: 5, settings: settings)
        #expect(told(outcome) == ["1 enter 5", "1 enter 700"])
    }

    @Test("a beacon that made room for others leaves its region")
    func forgotten() {
        var settings = settings
        settings.maximumBeacons = 2
        var ranger = Ranger(settings: settings)
        ranger.add(sighting(2, at: 0, rssi: -60))
        _ = ranger.tick(at: Timestamp(seconds: 1))
        for minor in 10..<14 as Range<UInt16> {
            ranger.add(sighting(minor, at: 1.5, rssi: -60))
        }
        let events = ranger.tick(at: Timestamp(seconds: 2)).events
        #expect(events.contains(.regionExited(room, after: 1)))
        #expect(told(events, floor) == ["exit", "enter"])
    }

    @Test("a region that is added while an exit of its beacon is due counts it as absent, and is entered with it later")
    func addedBeforeExit() {
        var settings = RangingSettings()
        settings.maximumBeacons = 1
        var ranger = Ranger(settings: settings)
        ranger.add(sighting(2, at: 0, rssi: -60))
        _ = ranger.tick(at: Timestamp(seconds: 1))
        // It makes room for another one. The next tick reports its exit.
        ranger.add(sighting(1, at: 1.5, rssi: -60))
        settings.regions = [room]
        let added = ranger.apply(settings, at: Timestamp(seconds: 1.6))
        #expect(added.isEmpty)
        let exits = ranger.tick(at: Timestamp(seconds: 2)).events
        #expect(exits.contains(.exited(beacon(2))) && told(exits, room).isEmpty)
        #expect(ranger.regionStates.map(\.beacons) == [0])
        ranger.add(sighting(2, at: 2.5, rssi: -60))
        let enters = ranger.tick(at: Timestamp(seconds: 3)).events
        #expect(told(enters, room) == ["enter"])
        #expect(ranger.regionStates.map(\.beacons) == [1])
    }

    @Test("a region's state says whether the scanner is inside, since when, and with how many beacons")
    func states() {
        var ranger = Ranger(settings: settings)
        #expect(ranger.regionStates.map(\.isInside) == [false, false, false, false])
        ranger.add(sighting(1, at: 0, rssi: -60))
        _ = ranger.tick(at: Timestamp(seconds: 1))
        let inside = ranger.regionStates
        #expect(inside.map(\.isInside) == [true, true, false, false])
        #expect(inside.map(\.since) == [Timestamp(seconds: 1), Timestamp(seconds: 1), nil, nil])
        #expect(inside.map(\.beacons) == [1, 1, 0, 0])
        _ = ranger.tick(at: Timestamp(seconds: 100))
        #expect(ranger.regionStates.map(\.isInside) == [false, false, false, false])
    }

    private func told(_ events: [RangingEvent], _ region: BeaconRegion) -> [String] {
        events.compactMap { event in
            switch event {
            case .regionEntered(region): "enter"
            case .regionExited(region, _): "exit"
            default: nil
            }
        }
    }

    @Test("a constraint without a major value has no minor value")
    func constraint() {
        #expect(BeaconConstraint(uuid: museum, minor: 3) == BeaconConstraint(uuid: museum))
        #expect(BeaconConstraint(uuid: museum, major: 1).matches(beacon(9)))
        #expect(!BeaconConstraint(uuid: museum, major: 2).matches(beacon(9)))
        #expect(!BeaconConstraint(beacon(8)).matches(beacon(9)))
    }
}
