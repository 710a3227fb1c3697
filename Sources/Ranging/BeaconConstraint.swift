package import Beacon

/// Which beacons are meant: all of a UUID, those of a major value in it, or a single one (the choices of Core
/// Location's `CLBeaconIdentityConstraint`).
package struct BeaconConstraint: Hashable, Sendable {
    /// The UUID that all of them send.
    package var uuid: ProximityUUID
    /// The major value that all of them send; nil for any.
    package var major: UInt16?
    /// The minor value that they send; nil for any. Without a major value it means nothing.
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

    /// Whether a beacon is meant.
    package func matches(_ id: BeaconID) -> Bool {
        uuid == id.uuid && (major == nil || major == id.major) && (minor == nil || minor == id.minor)
    }

    /// The three that a beacon fits, from the widest to the most exact.
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
