extension DocumentCheck {
    /// What is missing before a document can be published, in the order of its fields.
    package func missing(in document: Document) -> [FieldMistake] {
        var missing = MistakeList()
        switch document {
        case .beacon(let body):
            if body.name.isEmpty { missing.add("name", Problem(.missing)) }
            if body.uuid == nil { missing.add("uuid", Problem(.missing)) }
            if body.major == nil { missing.add("major", Problem(.missing)) }
            if body.minor == nil { missing.add("minor", Problem(.missing)) }
        case .image(let body): need(body, &missing)
        case .media, .plan, .site: break
        }
        if let target = self.document {
            // Plans are only for curators.
            for reference in document.references where document.image != nil && target(reference.id) == nil {
                missing.add(reference.field, Problem(.gone))
            }
        }
        return missing.all
    }

    private func need(_ image: ImageDocument, _ missing: inout MistakeList) {
        if image.title.isEmpty { missing.add("title", Problem(.missing)) }
        if image.picture == nil { missing.add("picture", Problem(.pictureNeeded)) }
        if image.widthCm == nil { missing.add("width_cm", Problem(.missing)) }
        for content in image.contents { need(content, &missing) }
    }

    private func need(_ content: ContentItem, _ missing: inout MistakeList) {
        let path = content.field
        switch content.kind {
        case .image:
            if content.pictures.isEmpty { missing.add("\(path).pictures", Problem(.pictureNeeded)) }
        case .gallery:
            if content.pictures.isEmpty { missing.add("\(path).pictures", Problem(.galleryNeedsPictures)) }
        case .video:
            if content.videoURL == nil, content.video == nil { missing.add("\(path).video", Problem(.videoNeeded)) }
        case .map:
            if content.coordinates == nil { missing.add("\(path).coordinates", Problem(.mapNeedsPlace)) }
        }
        if let action = content.action, action.value.isEmpty {
            missing.add("\(path).action.value", Problem(.missing))
        }
    }
}
