import Curation
import SiteFormat

/// Turns documents into the parts of a manifest, in one language.
struct ManifestBuilder {
    let documents: [DocumentID: Document]
    /// The languages in which a text is looked for, the wanted one first.
    let languages: [Language]

    func image(_ id: DocumentID, _ image: ImageDocument) -> ManifestImage? {
        guard let picture = image.picture, let asset = asset(picture.media) else { return nil }
        return ManifestImage(
            id: id.text, title: text(image.title), widthCm: image.widthCm,
            display: .init(rawValue: image.display.rawValue), asset: asset,
            contents: ContentItem.Side.allCases.compactMap { image[$0].flatMap(content) },
            fullscreen: nil)
    }

    /// Nil while it is a draft without what its kind needs.
    private func content(_ item: ContentItem) -> ManifestContent? {
        var content = ManifestContent(
            id: item.id.text, label: text(item.label), position: .init(rawValue: item.side.rawValue),
            kind: .init(rawValue: item.kind.rawValue))
        switch item.kind {
        case .image, .gallery:
            content.assets = item.pictures.compactMap { asset($0.media) }
            guard !content.assets.isEmpty else { return nil }
        case .video:
            content.assets = item.video.flatMap(asset).map { [$0] } ?? []
            content.videoURL = content.assets.isEmpty ? item.videoURL.flatMap(filled) : nil
            guard !content.assets.isEmpty || content.videoURL != nil else { return nil }
        case .map:
            guard let place = item.coordinates else { return nil }
            content.coordinates = .init(latitude: place.latitude, longitude: place.longitude)
            content.assets = item.pictures.compactMap { asset($0.media) }
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

    func text(_ value: LocalizedText) -> String? {
        value.tidied.any(languages)
    }

    private func filled(_ value: String) -> String? {
        value.allSatisfy(\.isWhitespace) ? nil : value
    }
}
