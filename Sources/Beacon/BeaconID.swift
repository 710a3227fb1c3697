/// The identity of a beacon: UUID, major and minor.
///
/// Two devices that send the same three values count as one beacon. A beacon that changes its device address is still
/// the same beacon.
public struct BeaconID: Hashable, Sendable {
    public var uuid: ProximityUUID
    public var major: UInt16
    public var minor: UInt16

    @inlinable
    public init(uuid: ProximityUUID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }
}

extension BeaconID: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        (left.uuid, left.major, left.minor) < (right.uuid, right.major, right.minor)
    }
}

extension BeaconID: LosslessStringConvertible {
    /// Reads `uuid/major/minor`, with the UUID in any of its forms. Returns nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let uuid = ProximityUUID(parts[0]), let major = UInt16(parts[1]),
            let minor = UInt16(parts[2])
        else { return nil }
        self.init(uuid: uuid, major: major, minor: minor)
    }

    /// `uuid/major/minor`, the form that paths use.
    public var description: String {
        "\(uuid)/\(major)/\(minor)"
    }
}
