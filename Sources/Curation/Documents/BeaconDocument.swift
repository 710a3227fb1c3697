package import Beacon

/// A beacon: the identity that it sends, its name, and its location.
package struct BeaconDocument: Hashable, Sendable {
    package var name = LocalizedText()
    /// Nil while the draft is incomplete. All three are needed for publishing.
    package var uuid: ProximityUUID?
    package var major: UInt16?
    package var minor: UInt16?
    /// For curators only: never published.
    package var note = ""
    package var floor = ""
    /// A plan, and the position of the beacon on it.
    package var plan: DocumentID?
    package var place: PlanPoint?
    package var coordinates: Coordinates?

    package init() {}

    /// The identity, if it is complete.
    package var id: BeaconID? {
        guard let uuid, let major, let minor else { return nil }
        return BeaconID(uuid: uuid, major: major, minor: minor)
    }
}

/// A position on a plan's picture: 0, 0 is the top left corner and 1, 1 the bottom right one.
package struct PlanPoint: Hashable, Sendable, Codable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A point on the earth in degrees, WGS 84.
package struct Coordinates: Hashable, Sendable, Codable {
    package var latitude: Double
    package var longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension BeaconDocument: Codable {
    enum CodingKeys: String, CodingKey {
        case name, uuid, major, minor, note, floor, plan, place, coordinates
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(LocalizedText.self, forKey: .name) ?? LocalizedText()
        uuid = try container.decodeIfPresent(String.self, forKey: .uuid).map { text in
            guard let uuid = ProximityUUID(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .uuid, in: container, debugDescription: "a UUID has 32 hexadecimal digits")
            }
            return uuid
        }
        major = try container.number(forKey: .major)
        minor = try container.number(forKey: .minor)
        note = try container.decodeIfPresent(String.self, forKey: .note) ?? ""
        floor = try container.decodeIfPresent(String.self, forKey: .floor) ?? ""
        plan = try container.decodeIfPresent(DocumentID.self, forKey: .plan)
        place = try container.decodeIfPresent(PlanPoint.self, forKey: .place)
        coordinates = try container.decodeIfPresent(Coordinates.self, forKey: .coordinates)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(uuid.map { "\($0)" }, forKey: .uuid)
        try container.encodeIfPresent(major, forKey: .major)
        try container.encodeIfPresent(minor, forKey: .minor)
        try container.encode(note, forKey: .note)
        try container.encode(floor, forKey: .floor)
        try container.encodeIfPresent(plan, forKey: .plan)
        try container.encodeIfPresent(place, forKey: .place)
        try container.encodeIfPresent(coordinates, forKey: .coordinates)
    }
}
