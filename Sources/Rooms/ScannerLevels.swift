package import Beacon

/// One beacon's level at one scanner in one second.
package struct HeardLevel: Hashable, Sendable {
    package var beacon: BeaconID
    /// The mean level in dBm.
    package var level: Double
    package var count: Int

    package init(beacon: BeaconID, level: Double, count: Int) {
        self.beacon = beacon
        self.level = level
        self.count = count
    }
}

/// What a scanner received in one second. It may be nothing, which is information too.
package struct ScannerSecond: Hashable, Sendable {
    package var scanner: String
    /// Seconds since 1970, by the fleet's clock.
    package var second: Int64
    /// Whether the scanner knows that it cannot receive.
    package var isBlind: Bool
    package var heard: [HeardLevel]

    package init(scanner: String, second: Int64, isBlind: Bool = false, heard: [HeardLevel] = []) {
        self.scanner = scanner
        self.second = second
        self.isBlind = isBlind
        self.heard = heard
    }
}
