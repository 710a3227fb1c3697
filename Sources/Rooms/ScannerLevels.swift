package import Beacon

/// What a scanner heard of one beacon in one second.
package struct HeardLevel: Hashable, Sendable {
    package var beacon: BeaconID
    /// dBm, the mean.
    package var level: Double
    package var count: Int

    package init(beacon: BeaconID, level: Double, count: Int) {
        self.beacon = beacon
        self.level = level
        self.count = count
    }
}

/// What a scanner heard in one second: also nothing, which says something too.
package struct ScannerSecond: Hashable, Sendable {
    package var scanner: String
    /// Seconds since 1970, by the fleet's clock.
    package var second: Int64
    /// The scanner knows that it cannot hear.
    package var isBlind: Bool
    package var heard: [HeardLevel]

    package init(scanner: String, second: Int64, isBlind: Bool = false, heard: [HeardLevel] = []) {
        self.scanner = scanner
        self.second = second
        self.isBlind = isBlind
        self.heard = heard
    }
}
