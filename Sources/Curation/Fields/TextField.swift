/// A text of a document that visitors read, and its field.
package struct TextField: Hashable, Sendable {
    /// The path in the document's JSON, without the language: `contents.left.label`.
    package var field: String
    package var text: LocalizedText
    /// The most characters in each language.
    package var limit: Int
}

/// The limits of fields, in characters unless another unit is given.
package enum FieldLimits {
    package static let name = 200
    package static let alt = 1000
    package static let description = 2000
    package static let overlayText = 500
    package static let transcript = 100_000
    package static let note = 10_000
    package static let address = 2000
    package static let floor = 50
    package static let category = 100
    package static let tag = 50
    package static let tags = 50
    package static let galleryPictures = 100
    package static let languages = 20
    /// The text of a mail.
    package static let mailBody = 2000
    /// In centimetres, or metres for plans.
    package static let smallest = 0.1
    /// In centimetres.
    package static let widestImage = 1000.0
    /// In metres.
    package static let widestPlan = 10_000.0
    /// The range of a site's maximum number of images of a beacon.
    package static let imageNumbers: ClosedRange<Int64> = 1...200
    /// The range of an image's rank.
    package static let rank: ClosedRange<Int64> = -1_000_000_000...1_000_000_000
    /// In bytes: the range of a site's quota for its devices.
    package static let deviceQuota: ClosedRange<Int64> = (1 << 20)...(1 << 50)
}

extension Document {
    /// The texts that visitors read, in the order of the document. Alternative texts and pages are not included.
    package var texts: [TextField] {
        switch self {
        case .beacon(let beacon): [TextField(field: "name", text: beacon.name, limit: FieldLimits.name)]
        case .image(let image): image.texts
        case .plan(let plan): [TextField(field: "name", text: plan.name, limit: FieldLimits.name)]
        case .media, .site: []
        }
    }
}

extension ImageDocument {
    package var texts: [TextField] {
        var fields = [TextField(field: "title", text: title, limit: FieldLimits.name)]
        for content in contents { fields += content.texts }
        if let page { fields.append(TextField(field: "page.title", text: page.title, limit: FieldLimits.name)) }
        fields.append(TextField(field: "transcript", text: transcript, limit: FieldLimits.transcript))
        return fields
    }
}

extension ContentItem {
    /// The path in the image's document: `contents.left`.
    package var field: String { "contents.\(side.rawValue)" }

    var texts: [TextField] {
        var fields = [TextField(field: "\(field).label", text: label, limit: FieldLimits.name)]
        if let action {
            let path = "\(field).action"
            fields += [
                TextField(field: "\(path).name", text: action.name, limit: FieldLimits.name),
                TextField(field: "\(path).description", text: action.description, limit: FieldLimits.description),
                TextField(field: "\(path).overlay_text", text: action.overlayText, limit: FieldLimits.overlayText),
            ]
        }
        return fields
    }
}
