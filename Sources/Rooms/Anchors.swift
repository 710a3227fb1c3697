import Beacon
import Ranging

/// Scanners that are beacons too. Where each stands is known, so what the others hear of it says how well they hear.
struct Anchors: Sendable {
    /// How much a level counts beside one of a beacon that is carried about: the way from one scanner to another is
    /// always the same, and so are its reflections.
    static let weight = 0.1
    /// dBm below which a link is left out: of a weak one only the strong readings arrive.
    private static let weakest = -90.0

    /// By the beacon, the scanner's index in the map.
    private var scanners: [BeaconID: Int] = [:]
    /// dB, anchor by anchor, in each one for each scanner.
    private var losses: [BeaconID: [Double]] = [:]

    init() {}

    /// - Parameter loss: dB from one place to another, by their indices.
    init(_ places: [ScannerPlace], loss: (_ from: Int, _ to: Int) -> Double) {
        for (index, place) in places.enumerated() {
            guard let beacon = place.beacon, beacon.uuid == FleetBeacon.uuid, scanners[beacon] == nil else { continue }
            scanners[beacon] = index
            losses[beacon] = places.indices.map { loss(index, $0) }
        }
    }

    func contains(_ beacon: BeaconID) -> Bool { scanners[beacon] != nil }

    /// By how much scanners differ from each other, as they hear an anchor in a second.
    ///
    /// - Parameter levels: in the order of the scanners.
    func residuals(
        of beacon: BeaconID, _ levels: [BeaconLocator.Level], offsets: [Double]
    ) -> [BeaconLocator.Residual] {
        guard let own = scanners[beacon], let losses = losses[beacon] else { return [] }
        let used = levels.filter { $0.scanner != own && $0.level >= Self.weakest }
        // How strong it sends is not known: one scanner alone says nothing.
        guard used.count > 1 else { return [] }
        let at1m = used.map { $0.level - offsets[$0.scanner] + losses[$0.scanner] }
        let mean = at1m.reduce(0, +) / Double(at1m.count)
        return zip(used, at1m).map { ($0.scanner, $1 - mean) }
    }
}
