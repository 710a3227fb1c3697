import Beacon
import Curation
import SiteFormat

/// The columns that the database stores beside a document's body, to find it.
struct DocumentFacts {
    var name: String
    var sortName: String
    var search: String
    /// The beacon and the rank of an image.
    var beacon: String?
    var rank: Int64 = 0
    var identity: String?
    var validFrom: Int64?
    var validUntil: Int64?

    init(_ document: Document, _ languages: [Language]) {
        name = String(document.name(in: languages).prefix(Self.longestName))
        sortName = SearchText.folded(name)
        search = SearchText.folded(document.searchedTexts.joined(separator: "\n").prefix(SearchText.longest))
        identity = document.identity
        switch document {
        case .image(let body):
            beacon = body.beacon?.text
            rank = body.rank
            validFrom = body.validFrom?.microseconds
            validUntil = body.validUntil?.microseconds
        case .beacon, .media, .plan, .site: break
        }
    }

    private static let longestName = 300
}

extension Document {
    /// A value that only one document may have: a beacon's identity, a file's SHA-256.
    var identity: String? {
        switch self {
        case .beacon(let body): body.id.map { "\($0)" }
        case .media(let body): "\(body.hash)"
        case .image, .plan, .site: nil
        }
    }

    /// The names, notes, titles and other texts that are searched, in all languages.
    var searchedTexts: [String] {
        switch self {
        case .beacon(let body):
            let identity = body.id.map { "\($0)" } ?? body.uuid.map { "\($0)" } ?? ""
            return body.name.texts + [body.note, body.floor, identity]
        case .image(let body): return body.searchedTexts
        case .media(let body): return [body.name, body.mediaType] + body.tags
        case .plan(let body): return body.name.texts + [body.floor]
        case .site(let body): return [body.title]
        }
    }
}

extension ImageDocument {
    fileprivate var searchedTexts: [String] {
        var texts = title.texts + [category] + tags
        texts += picture?.alt.texts ?? []
        for content in contents {
            texts += content.label.texts
            texts += content.pictures.flatMap(\.alt.texts)
            if let action = content.action { texts += action.name.texts + action.description.texts + [action.value] }
        }
        texts += page?.title.texts ?? []
        return texts + transcript.texts
    }
}

extension Localized where Value == String {
    /// All values, in the order of their languages.
    fileprivate var texts: [String] { values.sorted { $0.key < $1.key }.map(\.value) }
}
