extension Document {
    /// The same document with other files of the library in the same places. The alternative texts are kept.
    package func mappingFiles(_ change: (DocumentID) -> DocumentID) -> Document {
        switch self {
        case .image(let image): return .image(image.mappingFiles(change))
        case .plan(var plan):
            plan.picture = plan.picture.map(change)
            return .plan(plan)
        case .beacon, .media, .site: return self
        }
    }
}

extension ImageDocument {
    /// The same image with `new` instead of `old` everywhere. The alternative texts are kept.
    package func replacing(_ old: DocumentID, by new: DocumentID) -> ImageDocument {
        mappingFiles { $0 == old ? new : $0 }
    }

    fileprivate func mappingFiles(_ change: (DocumentID) -> DocumentID) -> ImageDocument {
        func changed(_ use: PictureUse) -> PictureUse {
            var use = use
            use.media = change(use.media)
            return use
        }
        var image = self
        image.picture = picture.map(changed)
        image.contents = contents.map { content in
            var content = content
            content.pictures = content.pictures.map(changed)
            content.video = content.video.map(change)
            content.captions = content.captions.mappingFiles(change)
            content.signLanguage = content.signLanguage.mappingFiles(change)
            return content
        }
        image.audio = audio.mappingFiles(change)
        image.signLanguage = signLanguage.mappingFiles(change)
        for (language, body) in page?.body.values ?? [:] {
            image.page?.body[language] = body.mappingPictures(changed)
        }
        return image
    }
}

extension Localized where Value == DocumentID {
    fileprivate func mappingFiles(_ change: (DocumentID) -> DocumentID) -> Self {
        Localized(values.mapValues(change))
    }
}
