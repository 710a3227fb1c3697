import Curation

/// One side of an image as the grid shows it: its content, or the kinds that can be added.
enum SideView {
    static func value(
        _ side: ContentItem.Side, of image: ImageDocument, _ id: DocumentID, _ media: MediaChoices, _ editing: Editing
    ) -> PageValue {
        let texts = editing.texts
        let path = "/images/\(id)/contents/\(side.rawValue)"
        // The form is in the language of the page that leads to it.
        let isOther = editing.language != editing.site.defaultLanguage
        let language = isOther ? ["language=\(editing.language.tag)"] : []
        func href(_ query: String...) -> PageValue {
            let parts = query + language
            return .text(parts.isEmpty ? path : "\(path)?\(parts.joined(separator: "&"))")
        }
        var value: [String: PageValue] = [
            "side": .text(side.rawValue), "side_name": .text(texts.text("edit.side.\(side.rawValue)")),
            "path": .text(path), "href": href(), "content": .none,
        ]
        guard let content = image[side] else {
            value["kinds"] = .list(
                ContentItem.Kind.allCases.map {
                    [
                        "kind": .text($0.rawValue), "text": .text(texts.text("edit.kind.\($0.rawValue)")),
                        "icon": .text(icon($0)), "href": href("kind=\($0.rawValue)"),
                    ]
                })
            return .map(value)
        }
        value["content"] = [
            "kind": .text(texts.text("edit.kind.\(content.kind.rawValue)")), "icon": .text(icon(content.kind)),
            "label": PageValue(content.label.any([editing.language] + editing.site.languages)),
            "pictures": .list(
                content.pictures.prefix(4).map { PageValue(media.picture($0.media)) }.filter { $0 != .none }),
            "count": content.pictures.count > 1 ? .text("\(content.pictures.count)") : .none,
            "action": action(content.action, texts),
            "place": PageValue(content.coordinates.map { "\($0.latitude), \($0.longitude)" }),
            "video": PageValue(content.videoURL ?? content.video.flatMap { media.known[$0]?.name }),
        ]
        return .map(value)
    }

    static func action(_ action: ActionItem?, _ texts: Catalogue) -> PageValue {
        guard let action else { return .none }
        return ["kind": .text(texts.text("edit.action.\(action.kind.rawValue)")), "value": .text(action.value)]
    }

    static func icon(_ kind: ContentItem.Kind) -> String {
        switch kind {
        case .image: "image"
        case .gallery: "gallery"
        case .video: "play"
        case .map: "map"
        }
    }
}

/// A moment in a field for a date and a time.
enum TimeField {
    /// `2026-05-01T08:00:00Z` as `2026-05-01T08:00`, in UTC; anything else as it is.
    static func shown(_ text: String) -> String {
        guard let moment = (try? FieldText.moment(text)) ?? nil else { return text }
        return shown(moment)
    }

    /// What was sent, as documents write it; anything else as it is.
    ///
    /// - Parameter known: what the field showed. It shows no seconds: nobody who leaves it as it is changes them.
    static func read(_ text: String, over known: Moment?) -> String {
        guard let moment = (try? FieldText.moment(text)) ?? nil else { return text }
        guard let known, shown(known) == shown(moment) else { return moment.description }
        return known.description
    }

    private static func shown(_ moment: Moment) -> String { String(moment.description.prefix(16)) }
}
