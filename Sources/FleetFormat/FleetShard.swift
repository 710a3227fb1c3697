package import Beacon
import Text

/// A part of all beacons, by a hash of their identity, which one resolver works on if one core is not enough for all.
package struct FleetShard: Hashable, Sendable, CustomStringConvertible {
    package static let most = 64

    /// From 1 to `count`.
    package let number: Int
    package let count: Int

    /// - Parameter text: `2/3` is the second of three.
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], (1...Self.most).contains(count),
            (1...count).contains(number), text == "\(number)/\(count)"
        else { return nil }
        (self.number, self.count) = (number, count)
    }

    package var description: String { "\(number)/\(count)" }

    /// Whether a beacon belongs to it. Every beacon belongs to exactly one.
    package func has(_ beacon: BeaconID) -> Bool {
        var octets = FNV1a()
        octets.add(beacon.uuid.value)
        octets.add(beacon.major)
        octets.add(beacon.minor)
        // Spreads the last octets over all bits (SplitMix64: G. Steele et al., "Fast Splittable Pseudorandom Number
        // Generators", OOPSLA 2014).
        var hash = octets.value
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        return Int(hash % UInt64(count)) == number - 1
    }
}
