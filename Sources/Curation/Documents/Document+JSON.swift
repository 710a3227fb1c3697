package import SiteFormat

extension Document {
    /// Reads a document's body.
    ///
    /// - Throws: `ContentError` with code `.format`. Its place names the value.
    package init(_ kind: Kind, json: [UInt8], source: String) throws(ContentError) {
        self =
            switch kind {
            case .beacon: .beacon(try decodeDocument(BeaconDocument.self, json: json, source: source))
            case .image: .image(try decodeDocument(ImageDocument.self, json: json, source: source))
            case .media: .media(try decodeDocument(MediaDocument.self, json: json, source: source))
            case .plan: .plan(try decodeDocument(PlanDocument.self, json: json, source: source))
            case .site: .site(try decodeDocument(SiteDocument.self, json: json, source: source))
            }
    }

    /// The body, with sorted keys, so that equal documents have equal bytes.
    package func json() throws(ContentError) -> [UInt8] {
        switch self {
        case .beacon(let body): try encodeDocument(body)
        case .image(let body): try encodeDocument(body)
        case .media(let body): try encodeDocument(body)
        case .plan(let body): try encodeDocument(body)
        case .site(let body): try encodeDocument(body)
        }
    }
}
