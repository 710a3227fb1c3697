package import Beacon

/// Which beacons something applies to: all with a UUID, those with a UUID and a major value, or a single one (as in
/// Core Location's `CLBeaconIdentityConstraint`).
package struct BeaconConstraint: Hashable, Sendable {
    /// The UUID that all of them send.
    package var uuid: ProximityUUID
    /// The major value that all of them send; nil for any.
    package var major: UInt16?
    /// The minor value that they send; nil for any. Ignored without a major value.
    package var minor: UInt16?

    /// All beacons of a UUID, of a major value, or one beacon.
    package init(uuid: ProximityUUID, major: UInt16? = nil, minor: UInt16? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = major == nil ? nil : minor
    }

    /// One beacon.
    package init(_ id: BeaconID) {
        self.init(uuid: id.uuid, major: id.major, minor: id.minor)
    }

    /// Whether a beacon satisfies the constraint.
    package func matches(_ id: BeaconID) -> Bool {
        uuid == id.uuid && (major == nil || major == id.major) && (minor == nil || minor == id.minor)
    }

    /// The three constraints that a beacon satisfies, from the widest to the most exact.
    static func all(for id: BeaconID) -> [BeaconConstraint] {
        [
            BeaconConstraint(uuid: id.uuid), BeaconConstraint(uuid: id.uuid, major: id.major), BeaconConstraint(id),
        ]
    }
}

extension BeaconConstraint: CustomStringConvertible {
    /// `UUID`, `UUID/MAJOR` or `UUID/MAJOR/MINOR`.
    package var description: String {
        "\(uuid)" + (major.map { "/\($0)" } ?? "") + (minor.map { "/\($0)" } ?? "")
    }
}
