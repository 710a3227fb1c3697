package import Beacon

/// Counts what is received during the listening test.
package struct ListeningTally: Sendable {
    private var sightings = 0
    private var addresses: Set<DeviceAddress> = []
    private var beacons: [BeaconID: Int] = [:]

    package init() {}

    /// More than exist at any place, so that a flood cannot fill the memory.
    private static let most = 10_000

    package mutating func add(_ sighting: Sighting) {
        sightings += 1
        if let address = sighting.address, addresses.count < Self.most { addresses.insert(address) }
        if beacons.count < Self.most || beacons[sighting.beacon.id] != nil {
            beacons[sighting.beacon.id, default: 0] += 1
        }
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }

    /// - Parameter reports: the number of received advertising reports, of iBeacons or not.
    package func finding(reports: Int, seconds: Double) -> Finding {
        let rate = Double(reports) / seconds
        let text = "\(reports) reports in \(Int(seconds)) s (\(Int(rate.rounded())) a second), "
            + "\(sightings) of iBeacons; \(Self.count(beacons.count, "beacon")), "
            + Self.count(addresses.count, "address", "addresses")
        guard reports > 0 else {
            return Finding(
                "listening", .warning, "nothing was heard in \(Int(seconds)) s",
                remedy: "is a Bluetooth device near? Try beacon-advertise on another computer")
        }
        guard !beacons.isEmpty else {
            return Finding(
                "listening", .warning, text, remedy: "no iBeacon is near: try beacon-advertise on another computer")
        }
        if seconds >= 5, beacons.values.allSatisfy({ $0 == 1 }) {
            return Finding(
                "listening", .warning, text + "; each was heard once only",
                remedy: "the controller or another program filters duplicates: stop other scans, or reset it")
        }
        return Finding("listening", .ok, text)
    }
}
