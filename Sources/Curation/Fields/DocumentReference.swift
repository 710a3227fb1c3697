/// A document that another one uses, and the field that names it.
package struct DocumentReference: Hashable, Sendable {
    /// The path in the JSON of the document that uses it: `picture`, `contents.left.video`, `audio.de`.
    package var field: String
    package var id: DocumentID
    package var need: Need

    /// The kind of document that is needed.
    package enum Need: String, Hashable, Sendable {
        case picture, video, audio, captions, beacon, plan
    }
}

extension Document {
    /// Everything that this document uses, in the order of the document. A document may occur several times.
    package var references: [DocumentReference] {
        switch self {
        case .beacon(let beacon):
            beacon.plan.map { [DocumentReference(field: "plan", id: $0, need: .plan)] } ?? []
        case .plan(let plan):
            plan.picture.map { [DocumentReference(field: "picture", id: $0, need: .picture)] } ?? []
        case .image(let image): image.references + pictures.map(DocumentReference.init)
        case .media, .site: []
        }
    }
}

extension DocumentReference {
    init(_ picture: PictureField) {
        self.init(field: picture.field, id: picture.use.media, need: .picture)
    }

    fileprivate static func each(_ ids: Localized<DocumentID>, _ field: String, _ need: Need) -> [Self] {
        ids.values.sorted { $0.key < $1.key }.map { Self(field: "\(field).\($0.key)", id: $0.value, need: need) }
    }
}

extension ImageDocument {
    /// The references except for pictures.
    fileprivate var references: [DocumentReference] {
        var found: [DocumentReference] = []
        if let beacon { found.append(DocumentReference(field: "beacon", id: beacon, need: .beacon)) }
        for content in contents {
            if let video = content.video {
                found.append(DocumentReference(field: "\(content.field).video", id: video, need: .video))
            }
            found += DocumentReference.each(content.captions, "\(content.field).captions", .captions)
            found += DocumentReference.each(content.signLanguage, "\(content.field).sign_language", .video)
        }
        found += DocumentReference.each(audio, "audio", .audio)
        found += DocumentReference.each(signLanguage, "sign_language", .video)
        return found
    }
}
