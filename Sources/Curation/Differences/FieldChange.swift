/// A field that differs between two versions of a document.
package struct FieldChange: Hashable, Sendable {
    /// The path in the document's JSON, as in `FieldMistake`.
    package var field: String
    package var label: FieldLabel
    /// The language of the text, for a field with several languages.
    package var language: Language?
    /// The content that the field belongs to.
    package var side: ContentItem.Side?
    /// Nil if there was no value. If both values are equal, only the format of a page's text differs.
    package var before: FieldValue?
    /// Nil if there is no value any more.
    package var after: FieldValue?

    package enum What: String, Hashable, Sendable, Codable, CaseIterable {
        case added, removed, changed, formatted
        /// Moved to another side, or into another order.
        case moved
    }

    package var what: What {
        if before == nil { return .added }
        if after == nil { return .removed }
        if label == .side || label == .pictureOrder || label == .order { return .moved }
        return before == after ? .formatted : .changed
    }

    /// One line in English, for programs and logs: `title (de): “Wal” → “Der Wal”`.
    ///
    /// - Parameter name: returns the name of a document.
    package func english(name: (DocumentID) -> String?) -> String {
        var line = label.english
        if let side { line = "\(side.rawValue): \(line)" }
        if let language { line += " (\(language))" }
        let (before, after) = FieldValue.excerpts(before, after)
        return switch what {
        case .added: "\(line): \(after?.english(name) ?? "")"
        case .removed: "\(line) removed: \(before?.english(name) ?? "")"
        case .formatted: "\(line): format changed"
        case .changed, .moved: "\(line): \(before?.english(name) ?? "") → \(after?.english(name) ?? "")"
        }
    }
}

/// A field's value in a difference.
package enum FieldValue: Hashable, Sendable {
    /// Shown as it is.
    case text(String)
    /// One of several choices. The pages have its name under `choice.CODE`.
    case choice(String)
    /// A document, to be shown by its name.
    case document(DocumentID)
    case moment(Moment)
    /// A size in bytes.
    case bytes(Int64)

    package func english(_ name: (DocumentID) -> String?) -> String {
        switch self {
        case .text(let text): "“\(text)”"
        case .choice(let code): code.split(separator: "_").joined(separator: " ")
        case .document(let id): "“\(name(id) ?? id.text)”"
        case .moment(let moment): moment.description
        case .bytes(let bytes): "\(bytes) bytes"
        }
    }

    /// Shortens two long texts to the parts around the first difference.
    package static func excerpts(_ before: Self?, _ after: Self?, limit: Int = 120) -> (Self?, Self?) {
        guard case .text(let old)? = before ?? .text(""), case .text(let new)? = after ?? .text("") else {
            return (before, after)
        }
        let common = zip(old, new).prefix { $0 == $1 }.count
        let start = old.count <= limit && new.count <= limit ? 0 : max(0, common - limit / 4)
        return (
            before.map { _ in .text(excerpt(old, start, limit)) }, after.map { _ in .text(excerpt(new, start, limit)) }
        )
    }

    private static func excerpt(_ text: String, _ start: Int, _ limit: Int) -> String {
        let rest = text.dropFirst(start)
        let part = rest.prefix(limit)
        return (start > 0 ? "…" : "") + part + (part.endIndex < rest.endIndex ? "…" : "")
    }
}
