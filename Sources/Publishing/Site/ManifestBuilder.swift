import Curation
import SiteFormat

/// Builds the parts of a manifest from documents, in one language.
struct ManifestBuilder {
    let documents: [DocumentID: Document]
    /// The languages in which a text is searched for, the wanted one first.
    let languages: [Language]
    /// The `data:` address of a picture in a page; nil leaves the picture out.
    var pagePicture: (MediaDocument) -> String? = { _ in nil }

    /// Nil for a draft without a picture.
    func image(_ id: DocumentID, _ image: ImageDocument) -> ManifestImage? {
        guard let picture = image.picture, let asset = asset(picture.media) else { return nil }
        return ManifestImage(
            id: id.text, title: text(image.title), widthCm: image.widthCm,
            display: .init(rawValue: image.display.rawValue), asset: asset, alt: alt(picture),
            contents: ContentItem.Side.allCases.compactMap { image[$0].flatMap(content) },
            fullscreen: image.page.flatMap(page), audio: audio(image), signLanguage: file(image.signLanguage),
            category: filled(image.category), tags: image.tags.compactMap(filled), validFrom: image.validFrom?.time,
            validUntil: image.validUntil?.time)
    }

    /// Nil if it is empty in every language.
    private func page(_ page: FullPage) -> ManifestImage.Fullscreen? {
        let bodies = page.body.values.filter { !$0.value.isEmpty }
        guard let body = Localized(bodies).any(languages), let language = languages.first else { return nil }
        let title = text(page.title)
        let shown = languages.first { bodies[$0] != nil } ?? language
        return .init(
            title: title,
            html: body.htmlDocument(title: title ?? "", language: shown) { use in
                guard let media = documents[use.media]?.media, let source = pagePicture(media) else { return nil }
                return PagePicture(source: source, alt: alt(use) ?? "", width: media.width, height: media.height)
            })
    }

    private func audio(_ image: ImageDocument) -> ManifestAudio? {
        file(image.audio).map { ManifestAudio(asset: $0, transcript: text(image.transcript)) }
    }

    /// Nil for a draft that lacks what its kind needs.
    private func content(_ item: ContentItem) -> ManifestContent? {
        var content = ManifestContent(
            id: item.id.text, label: text(item.label), position: .init(rawValue: item.side.rawValue),
            kind: .init(rawValue: item.kind.rawValue))
        switch item.kind {
        case .image, .gallery:
            content.assets = item.pictures.compactMap(picture)
            guard !content.assets.isEmpty else { return nil }
        case .video:
            content.assets = item.video.flatMap(asset).map { [$0] } ?? []
            content.videoURL = content.assets.isEmpty ? item.videoURL.flatMap(filled) : nil
            guard !content.assets.isEmpty || content.videoURL != nil else { return nil }
            content.captions = file(item.captions)
            content.signLanguage = file(item.signLanguage)
        case .map:
            guard let place = item.coordinates else { return nil }
            content.coordinates = .init(latitude: place.latitude, longitude: place.longitude)
            content.assets = item.pictures.compactMap(picture)
        }
        if item.kind.takesAction { content.action = item.action.flatMap(action) }
        return content
    }

    private func action(_ item: ActionItem) -> ManifestAction? {
        guard let value = filled(item.value) else { return nil }
        return ManifestAction(
            name: text(item.name), kind: .init(rawValue: item.kind.rawValue), value: value,
            parameters: item.parameters.isEmpty ? nil : .object(item.parameters.mapValues(JSONValue.string)),
            description: text(item.description), overlayText: text(item.overlayText))
    }

    func asset(_ id: DocumentID) -> ManifestAsset? {
        documents[id]?.media.map { ManifestAsset(sha256: $0.hash, bytes: $0.bytes, mediaType: $0.mediaType) }
    }

    private func picture(_ use: PictureUse) -> ManifestAsset? {
        guard var asset = asset(use.media) else { return nil }
        asset.alt = alt(use)
        return asset
    }

    private func alt(_ use: PictureUse) -> String? {
        use.isDecorative ? "" : text(use.alt)
    }

    /// The file for the wanted language, or for the first fallback that has one.
    private func file(_ files: Localized<DocumentID>) -> ManifestAsset? {
        files.any(languages).flatMap(asset)
    }

    func text(_ value: LocalizedText) -> String? {
        value.tidied.any(languages)
    }

    private func filled(_ value: String) -> String? {
        value.allSatisfy(\.isWhitespace) ? nil : value
    }
}
