import Beacon
import Ranging
import Testing

@Suite("Settings that change while ranging goes on")
struct ReloadTests {
    private func ranger(_ settings: RangingSettings = .init(), heardUntil end: Double = 10) -> (Ranger, [RangingEvent])
    {
        var ranger = Ranger(settings: settings)
        var told: [RangingEvent] = []
        let sightings = script(
            [ScriptedBeacon(minor: 1) { _ in -60 }, ScriptedBeacon(minor: 2) { _ in -75 }], until: end)
        for sighting in sightings { ranger.add(sighting) }
        told += ranger.tick(at: Timestamp(seconds: end)).events
        return (ranger, told)
    }

    @Test("nobody enters, exits or becomes the nearest by it, and counts go on")
    func stateStays() throws {
        var (ranger, _) = ranger()
        let before = ranger.tick(at: Timestamp(seconds: 10)).ranking
        var settings = RangingSettings()
        settings.nearestMargin = 5
        settings.maximumBeacons = 50
        #expect(ranger.apply(settings, at: Timestamp(seconds: 10)).isEmpty)
        let (after, events) = ranger.tick(at: Timestamp(seconds: 10))
        #expect(events.isEmpty)
        #expect(after.nearest == before.nearest)
        #expect(after.beacons.map(\.id) == before.beacons.map(\.id))
        #expect(after.beacons.map(\.count) == before.beacons.map(\.count))
        #expect(ranger.settings.nearestMargin == 5)
    }

    @Test("corrections count at once for beacons that are heard already")
    func corrections() throws {
        var (ranger, _) = ranger()
        let before = try #require(ranger.tick(at: Timestamp(seconds: 10)).ranking.beacons.first { $0.id == beacon(1) })
        var settings = RangingSettings()
        settings.corrections[BeaconConstraint(beacon(1))] = BeaconCorrection(measuredPower: -79)
        _ = ranger.apply(settings, at: Timestamp(seconds: 10))
        let after = try #require(ranger.tick(at: Timestamp(seconds: 10)).ranking.beacons.first { $0.id == beacon(1) })
        let (far, near) = (try #require(before.distance), try #require(after.distance))
        #expect(near.metres < far.metres / 2)
    }

    @Test("a new region is entered by those who are in it, one that was there goes on, one that is gone is exited")
    func regions() {
        let house = BeaconRegion(identifier: "house", constraint: BeaconConstraint(uuid: museum))
        let room = BeaconRegion(identifier: "room", constraint: BeaconConstraint(beacon(2)))
        let other = BeaconRegion(identifier: "other", constraint: BeaconConstraint(beacon(9)))
        var settings = RangingSettings()
        settings.regions = [house]
        var (ranger, told) = ranger(settings)
        #expect(told.contains(.regionEntered(house)))
        settings.regions = [room, other, house]
        #expect(ranger.apply(settings, at: Timestamp(seconds: 10)) == [.regionEntered(room)])
        settings.regions = [house]
        // Nobody was in the other one.
        #expect(ranger.apply(settings, at: Timestamp(seconds: 12)) == [.regionExited(room, after: 2)])
        #expect(ranger.regionStates.map(\.region) == [house])
        let exits = ranger.tick(at: Timestamp(seconds: 120)).events.compactMap { event -> String? in
            if case .regionExited(let region, let seconds) = event {
                "\(region.identifier) \(Int(seconds))"
            } else {
                nil
            }
        }
        #expect(exits == ["house 110"])
    }

    @Test("a region of the same name for other beacons is another region")
    func otherConstraint() {
        var settings = RangingSettings()
        settings.regions = [BeaconRegion(identifier: "room", constraint: BeaconConstraint(beacon(9)))]
        var (ranger, _) = ranger(settings)
        let room = BeaconRegion(identifier: "room", constraint: BeaconConstraint(beacon(2)))
        settings.regions = [room]
        #expect(ranger.apply(settings, at: Timestamp(seconds: 10)) == [.regionEntered(room)])
        // And one of another name for the same beacons: whoever shows the old one learns that nobody is there.
        let hall = BeaconRegion(identifier: "hall", constraint: room.constraint)
        settings.regions = [hall]
        #expect(
            ranger.apply(settings, at: Timestamp(seconds: 14)) == [.regionExited(room, after: 4), .regionEntered(hall)])
        // The last word of a name that gets other beacons is that somebody is inside.
        let other = BeaconRegion(identifier: "hall", constraint: BeaconConstraint(beacon(1)))
        settings.regions = [other]
        let changes = ranger.apply(settings, at: Timestamp(seconds: 15))
        #expect(changes == [.regionExited(hall, after: 1), .regionEntered(other)])
        settings.regions = [BeaconRegion(identifier: "hall", constraint: BeaconConstraint(beacon(9)))]
        #expect(ranger.apply(settings, at: Timestamp(seconds: 16)) == [.regionExited(other, after: 1)])
    }

    @Test("who has left is in no region that is new, though it is remembered")
    func left() {
        var (ranger, _) = ranger()
        _ = ranger.tick(at: Timestamp(seconds: 60))
        #expect(ranger.trackedCount == 2)
        var settings = RangingSettings()
        settings.regions = [BeaconRegion(identifier: "house", constraint: BeaconConstraint(uuid: museum))]
        #expect(ranger.apply(settings, at: Timestamp(seconds: 60)).isEmpty)
        #expect(ranger.regionStates == [RegionState(region: settings.regions[0], beacons: 0, since: nil)])
    }

    @Test("dwelling goes on over a change for one who is alone in a region, and does not begin where nobody is")
    func dwellsOn() {
        var settings = RangingSettings()
        settings.regions = [
            BeaconRegion(identifier: "room", constraint: BeaconConstraint(beacon(2)), dwell: 5),
            BeaconRegion(identifier: "empty", constraint: BeaconConstraint(beacon(9)), dwell: 5),
        ]
        var (ranger, _) = ranger(settings)
        settings.regions.append(BeaconRegion(identifier: "other", constraint: BeaconConstraint(beacon(8))))
        #expect(ranger.apply(settings, at: Timestamp(seconds: 10)).isEmpty)
        for step in 0..<100 { ranger.add(sighting(2, at: 10 + Double(step) / 10, rssi: -60)) }
        let dwelled = ranger.tick(at: Timestamp(seconds: 20)).events.filter {
            if case .regionDwelled = $0 { true } else { false }
        }
        #expect(dwelled == [.regionDwelled(settings.regions[0])])
    }

    @Test("a dwell time that is set later does not count where nobody is")
    func dwellOfEmpty() {
        var settings = RangingSettings()
        settings.regions = [BeaconRegion(identifier: "empty", constraint: BeaconConstraint(beacon(9)))]
        var (ranger, _) = ranger(settings)
        settings.regions[0].dwell = 1
        _ = ranger.apply(settings, at: Timestamp(seconds: 10))
        #expect(!ranger.tick(at: Timestamp(seconds: 13)).events.contains(.regionDwelled(settings.regions[0])))
    }

    @Test("flood rules count from their change on, and what was found to be a flood stays one over other changes")
    func flood() {
        func add(_ ranger: inout Ranger, _ count: Int) {
            for minor in 0..<UInt16(count) { ranger.add(sighting(minor, at: 10, rssi: -60)) }
        }
        var (ranger, _) = ranger()
        var settings = RangingSettings()
        settings.flood.pairsPerUUID = 5
        _ = ranger.apply(settings, at: Timestamp(seconds: 10))
        add(&ranger, 6)
        #expect(ranger.counters.flooded == 1)
        settings.nearestMargin = 4
        _ = ranger.apply(settings, at: Timestamp(seconds: 10))
        add(&ranger, 1)
        #expect(ranger.counters.flooded == 2)
        settings.flood.pairsPerUUID = 7
        _ = ranger.apply(settings, at: Timestamp(seconds: 10))
        add(&ranger, 7)
        #expect(ranger.counters.flooded == 2)
    }

    @Test("a dwell time that is set later counts from the entering")
    func dwell() {
        let house = BeaconRegion(identifier: "house", constraint: BeaconConstraint(uuid: museum))
        var settings = RangingSettings()
        settings.regions = [house]
        var (ranger, _) = ranger(settings)
        settings.regions[0].dwell = 1
        #expect(ranger.apply(settings, at: Timestamp(seconds: 10)).isEmpty)
        #expect(ranger.tick(at: Timestamp(seconds: 11)).events.contains(.regionDwelled(settings.regions[0])))
        settings.regions[0].dwell = 2
        _ = ranger.apply(settings, at: Timestamp(seconds: 12))
        #expect(
            !ranger.tick(at: Timestamp(seconds: 14)).events.contains {
                if case .regionDwelled = $0 { true } else { false }
            })
    }
}
