import Beacon
import Ranging

/// Scanners that are also beacons. Their positions are known, so the levels at the other scanners show how sensitive
/// these are.
struct Anchors: Sendable {
    /// The weight of such a level compared with that of a carried beacon: the path from one scanner to another, and its
    /// reflections, are always the same.
    static let weight = 0.1
    /// dBm below which a link is ignored: of a weak link, only the strong readings arrive.
    private static let weakest = -90.0

    /// By beacon: the scanner's index in the map.
    private var scanners: [BeaconID: Int] = [:]
    /// By anchor: the loss in dB to each scanner.
    private var losses: [BeaconID: [Double]] = [:]

    init() {}

    /// - Parameter loss: the loss in dB from one place to another, by their indices.
    init(_ places: [ScannerPlace], loss: (_ from: Int, _ to: Int) -> Double) {
        for (index, place) in places.enumerated() {
            guard let beacon = place.beacon, beacon.uuid == FleetBeacon.uuid, scanners[beacon] == nil else { continue }
            scanners[beacon] = index
            losses[beacon] = places.indices.map { loss(index, $0) }
        }
    }

    func contains(_ beacon: BeaconID) -> Bool { scanners[beacon] != nil }

    /// How much scanners differ from each other, from the levels of one anchor in one second.
    ///
    /// - Parameter levels: in the order of the scanners.
    func residuals(
        of beacon: BeaconID, _ levels: [BeaconLocator.Level], offsets: [Double]
    ) -> [BeaconLocator.Residual] {
        guard let own = scanners[beacon], let losses = losses[beacon] else { return [] }
        let used = levels.filter { $0.scanner != own && $0.level >= Self.weakest }
        // Its transmit power is unknown, so one scanner alone says nothing.
        guard used.count > 1 else { return [] }
        let at1m = used.map { $0.level - offsets[$0.scanner] + losses[$0.scanner] }
        let mean = at1m.reduce(0, +) / Double(at1m.count)
        return zip(used, at1m).map { ($0.scanner, $1 - mean) }
    }
}
