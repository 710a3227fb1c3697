/// A page that fills the visitor's screen, by language.
package struct FullPage: Hashable, Sendable {
    package var title = LocalizedText()
    package var body = Localized<PageText>()

    package init() {}
}

extension FullPage: Codable {
    enum CodingKeys: String, CodingKey {
        case title, body
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.value(forKey: .title, or: LocalizedText())
        body = try container.value(forKey: .body, or: Localized())
    }
}
