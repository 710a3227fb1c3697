/// The plan of a floor, on which beacons are placed.
package struct PlanDocument: Hashable, Sendable {
    package var name = LocalizedText()
    package var floor = ""
    package var picture: DocumentID?
    /// The real width that the picture shows, in metres.
    package var widthM: Double?

    package init() {}
}

extension PlanDocument: Codable {
    enum CodingKeys: String, CodingKey {
        case name, floor, picture
        case widthM = "width_m"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.value(forKey: .name, or: LocalizedText())
        floor = try container.value(forKey: .floor, or: "")
        picture = try container.decodeIfPresent(DocumentID.self, forKey: .picture)
        widthM = try container.decodeIfPresent(Double.self, forKey: .widthM)
    }
}
