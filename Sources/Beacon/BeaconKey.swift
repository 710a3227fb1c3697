/// What `MAJOR.MINOR` or `UUID/MAJOR/MINOR` stands for: one beacon or, without a UUID, every beacon with these numbers.
package struct BeaconKey: Hashable, Sendable {
    /// Nil for any UUID.
    package var uuid: ProximityUUID?
    package var major: UInt16
    package var minor: UInt16

    package init(uuid: ProximityUUID?, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    /// One beacon.
    package init(_ id: BeaconID) {
        self.init(uuid: id.uuid, major: id.major, minor: id.minor)
    }

    /// The same numbers under any UUID.
    package var pair: BeaconKey { BeaconKey(uuid: nil, major: major, minor: minor) }

    /// The beacon's identity; nil without a UUID.
    package var id: BeaconID? {
        uuid.map { BeaconID(uuid: $0, major: major, minor: minor) }
    }

    package func matches(_ id: BeaconID) -> Bool {
        major == id.major && minor == id.minor && (uuid == nil || uuid == id.uuid)
    }
}

extension BeaconKey: LosslessStringConvertible {
    /// Reads `MAJOR.MINOR` or `UUID/MAJOR/MINOR`, with dots or slashes between the numbers. Returns nil for anything
    /// else.
    package init?(_ text: String) {
        var parts = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "." }
        let uuid = parts.first.flatMap { ProximityUUID($0) }
        if uuid != nil { parts.removeFirst() }
        guard parts.count == 2, let major = UInt16(parts[0]), let minor = UInt16(parts[1]) else { return nil }
        self.init(uuid: uuid, major: major, minor: minor)
    }

    /// `MAJOR.MINOR` or `UUID/MAJOR/MINOR`.
    package var description: String {
        id?.description ?? "\(major).\(minor)"
    }
}

extension BeaconKey: Comparable {
    /// Keys without a UUID come first.
    package static func < (left: Self, right: Self) -> Bool {
        switch (left.uuid, right.uuid) {
        case (nil, .some): true
        case (.some, nil): false
        case (let one?, let other?) where one != other: one < other
        default: (left.major, left.minor) < (right.major, right.minor)
        }
    }
}
