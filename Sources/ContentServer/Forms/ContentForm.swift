package import Curation

/// What is shown on one side of an image. Its fields have no prefix; the mistakes name them from the image's top.
package struct ContentForm: DocumentForm {
    package let language: Language

    package init(language: Language) {
        self.language = language
    }
    /// More rows than this are not read.
    package static let mostPictures = 100

    package func values(of body: ContentItem) -> FormValues {
        var writer = FieldWriter(in: language)
        writer.text("side", body.side.rawValue)
        writer.text("kind", body.kind.rawValue)
        writer.text("label", body.label)
        for (index, use) in body.pictures.enumerated() { writer.picture("pictures.\(index)", use) }
        writer.text("video_url", body.videoURL)
        writer.document("video", body.video)
        writer.document("captions", body.captions)
        writer.document("sign_language", body.signLanguage)
        writer.coordinates("coordinates", body.coordinates)
        action(body.action, into: &writer)
        return writer.values
    }

    package func read(_ values: FormValues, into body: inout ContentItem) -> [FieldMistake] {
        var reader = FieldReader(values, in: language)
        reader.place = "contents.\(body.side.rawValue)."
        reader.choice("kind", into: &body.kind)
        reader.choice("side", into: &body.side)
        reader.text("label", into: &body.label)
        pictures(&reader, into: &body)
        reader.optional("video_url", into: &body.videoURL)
        reader.document("video", into: &body.video)
        reader.document("captions", into: &body.captions)
        reader.document("sign_language", into: &body.signLanguage)
        reader.coordinates("coordinates", into: &body.coordinates)
        action(&reader, into: &body.action)
        return reader.mistakes
    }

    /// The rows in their order. A row takes over the texts that its picture had in other languages.
    private func pictures(_ reader: inout FieldReader, into body: inout ContentItem) {
        guard reader.values["pictures"] != nil else { return }
        var known = body.pictures
        var read: [PictureUse] = []
        for row in reader.values.rows("pictures", limit: Self.mostPictures) {
            guard let text = reader.values.trimmed("pictures.\(row).media"), !text.isEmpty else { continue }
            var use: PictureUse?
            if let index = known.firstIndex(where: { $0.media.text == text }) { use = known.remove(at: index) }
            reader.picture("pictures.\(row)", into: &use)
            if let use { read.append(use) }
        }
        body.pictures = read
    }

    private func action(_ action: ActionItem?, into writer: inout FieldWriter) {
        writer.text("action.kind", action?.kind.rawValue)
        writer.text("action.value", action?.value)
        writer.text("action.name", action?.name ?? LocalizedText())
        writer.text("action.description", action?.description ?? LocalizedText())
        writer.text("action.overlay_text", action?.overlayText ?? LocalizedText())
        for name in Self.parameters { writer.text("action.\(name)", action?.parameters[name]) }
    }

    private func action(_ reader: inout FieldReader, into action: inout ActionItem?) {
        guard let text = reader.values["action.kind"] else { return }
        guard !text.isEmpty else {
            action = nil
            return
        }
        var read = action ?? ActionItem(kind: .openURL, value: "")
        reader.choice("action.kind", into: &read.kind)
        reader.text("action.value", into: &read.value)
        reader.text("action.name", into: &read.name)
        reader.text("action.description", into: &read.description)
        reader.text("action.overlay_text", into: &read.overlayText)
        for name in Self.parameters {
            var value = read.parameters[name]
            reader.optional("action.\(name)", into: &value)
            read.parameters[name] = read.kind == .email ? value : nil
        }
        action = read
    }

    /// What a mail may begin with.
    package static let parameters = ["subject", "body"]
}
