import Curation

extension Document {
    func name(in languages: [Language]) -> String {
        switch self {
        case .beacon(let body): body.name.any(languages) ?? body.id.map { "\($0)" } ?? ""
        case .image(let body): body.title.any(languages) ?? ""
        case .media(let body): body.name
        case .plan(let body): body.name.any(languages) ?? body.floor
        case .site(let body): body.title
        }
    }

    struct Reference {
        var field: String
        var id: DocumentID
    }

    var references: [Reference] {
        guard let beacon = image?.beacon else { return [] }
        return [Reference(field: "beacon", id: beacon)]
    }
}
