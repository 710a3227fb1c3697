import Beacon
import Fleet
import FleetServer
import Rooms
import Settings

extension FuzzTarget {
    /// What people write for a resolver: places of scanners, names of beacons, plans of floors.
    static let fleetFiles = FuzzTarget(
        text: "fleet-files",
        words: [
            "- ", "beacons:\n  ", "1.7: ", "expected: true", "scanner: ", "room: ", "floor: ", "x: ", "y: ", "beacon: ",
            "name: ", "picture: ", "width_m: ", "../",
            "/1/7",
        ]
    ) {
        try ["places", "beacons", "plans"].map { try projectText("examples/\($0).yaml") }
    } check: { text in
        let places = PlacesFile(text)
        try require(places.places.count <= RoomMap.mostScanners, "more places than a fleet may have")
        try require(places.places.allSatisfy { !$0.room.isEmpty && $0.room.utf8.count <= 800 }, "a room without a name")
        let names = KnownBeaconsFile(text).beacons
        try require(names.entries.count <= BeaconNameRules.mostBeacons, "more names than a fleet may have")
        try require(
            names.givenNames.allSatisfy { (1...BeaconNameRules.mostBytes).contains($0.utf8.count) },
            "a name without an end")
        let plans = FloorPlansFile(text)
        try require(plans.plans.count <= FloorPlansFile.mostPlans, "more plans than a building may have")
        try require(
            plans.plans.allSatisfy { !$0.picture.contains("/") && !$0.picture.hasPrefix(".") && $0.width >= 1 },
            "a picture outside of its folder")
    }
}
