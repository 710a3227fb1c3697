// Written by hand and not with a general tree, so that only what `PageText` lists can be stored. The names are those of
// the editor (Tiptap). The names of ProseMirror's own schemas are read too.

extension PageText: Codable {
    /// - Throws: `DecodingError` with the place of a part that is unknown, too large or nested too deeply.
    package init(from decoder: any Decoder) throws {
        let node = try decoder.container(keyedBy: PageNodeKeys.self)
        guard try node.decode(String.self, forKey: .type) == "doc" else {
            throw DecodingError.dataCorruptedError(forKey: .type, in: node, debugDescription: "a page is a “doc”")
        }
        var reading = PageReading()
        blocks = try reading.blocks(of: node, level: 0)
        // Editors add an empty paragraph at the end, for the cursor.
        while blocks.last?.isBlank == true { blocks.removeLast() }
    }

    package func encode(to encoder: any Encoder) throws {
        try encode(to: encoder, PageWriting())
    }

    fileprivate func encode(to encoder: any Encoder, _ writing: PageWriting) throws {
        var node = encoder.container(keyedBy: PageNodeKeys.self)
        try node.encode("doc", forKey: .type)
        // Editors need at least one block.
        try writing.write(blocks.isEmpty ? [.paragraph([])] : blocks, to: &node)
    }
}

/// A page in the editor's form: a picture has only one alternative text, in the language of the page.
package struct EditorPage: Encodable {
    private let page: PageText
    private let language: Language

    package init(_ page: PageText, in language: Language) {
        (self.page, self.language) = (page, language)
    }

    package func encode(to encoder: any Encoder) throws {
        try page.encode(to: encoder, PageWriting(language: language))
    }
}

extension PageText.Block {
    /// Whether this is a paragraph without visible text.
    package var isBlank: Bool {
        guard case .paragraph(let inlines) = self else { return false }
        return inlines.allSatisfy { inline in
            switch inline {
            case .text(let text, _): text.allSatisfy(\.isWhitespace)
            case .lineBreak: true
            }
        }
    }
}

enum PageNodeKeys: String, CodingKey {
    case type, content, attrs, marks, text
}

enum PageAttributeKeys: String, CodingKey {
    case level, href, media, src, alt, decorative
}
