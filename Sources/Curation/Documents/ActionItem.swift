/// What a tap on a content does.
package struct ActionItem: Hashable, Sendable {
    package var name = LocalizedText()
    package var kind: Kind
    /// The https address, telephone number or mail address; or a place, by name or as `latitude,longitude`.
    package var value: String
    /// For mail: `subject` and `body`.
    package var parameters: [String: String] = [:]
    package var description = LocalizedText()
    /// The text over the content.
    package var overlayText = LocalizedText()

    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case openURL = "open_url"
        case call, email, navigate
    }

    package init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
    }
}

extension ActionItem: Codable {
    enum CodingKeys: String, CodingKey {
        case name, kind, value, parameters, description
        case overlayText = "overlay_text"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.value(forKey: .name, or: LocalizedText())
        kind = try container.decode(Kind.self, forKey: .kind)
        value = try container.value(forKey: .value, or: "")
        parameters = try container.value(forKey: .parameters, or: [:])
        description = try container.value(forKey: .description, or: LocalizedText())
        overlayText = try container.value(forKey: .overlayText, or: LocalizedText())
    }
}
