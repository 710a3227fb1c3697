import Beacon
import Curation
import SiteFormat

/// What the database keeps of a document beside its body, to find it.
struct DocumentFacts {
    var name: String
    var sortName: String
    var search: String
    /// An image's beacon and place.
    var beacon: String?
    var rank: Int64 = 0
    /// What only one document may have: a beacon's identity, a file's SHA-256.
    var identity: String?
    var validFrom: Int64?
    var validUntil: Int64?

    init(_ document: Document, _ languages: [Language]) {
        name = String(document.name(in: languages).prefix(Self.longestName))
        sortName = SearchText.folded(name)
        search = SearchText.folded(document.searchedTexts.joined(separator: "\n").prefix(SearchText.longest))
        switch document {
        case .beacon(let body): identity = body.id.map { "\($0)" }
        case .image(let body):
            beacon = body.beacon?.text
            rank = body.rank
            validFrom = body.validFrom?.microseconds
            validUntil = body.validUntil?.microseconds
        case .media(let body): identity = "\(body.hash)"
        case .plan, .site: break
        }
    }

    private static let longestName = 300
}

extension Document {
    /// Names, notes, titles and other words, in all languages.
    var searchedTexts: [String] {
        switch self {
        case .beacon(let body):
            return body.name.texts + [
                body.note, body.floor, body.id.map { "\($0)" } ?? body.uuid.map { "\($0)" } ?? "",
            ]
        case .image(let body):
            return body.title.texts + [body.category] + body.tags + (body.picture?.alt.texts ?? [])
                + body.contents.flatMap { content in
                    content.label.texts + content.pictures.flatMap(\.alt.texts)
                        + (content.action.map { $0.name.texts + $0.description.texts + [$0.value] } ?? [])
                }
                + (body.page?.title.texts ?? []) + body.transcript.texts
        case .media(let body): return [body.name, body.mediaType] + body.tags
        case .plan(let body): return body.name.texts + [body.floor]
        case .site(let body): return [body.title]
        }
    }
}

extension Localized where Value == String {
    /// All values, in the order of their languages.
    fileprivate var texts: [String] { values.sorted { $0.key < $1.key }.map(\.value) }
}
