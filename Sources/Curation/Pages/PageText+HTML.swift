internal import Text

/// A picture of a page in its published form.
package struct PagePicture: Hashable, Sendable {
    /// The address of the picture, for `src`.
    package var source: String
    /// The alternative text. Empty for a decorative picture.
    package var alt: String
    /// In pixels.
    package var width: Int?
    package var height: Int?

    package init(source: String, alt: String, width: Int? = nil, height: Int? = nil) {
        self.source = source
        self.alt = alt
        self.width = width
        self.height = height
    }
}

extension PageText {
    /// The page as HTML. It contains only the elements listed here, and every text and attribute is escaped.
    ///
    /// - Parameter picture: returns the published form of a picture, or nil to leave it out.
    package func html(picture: @escaping (PictureUse) -> PagePicture?) -> String {
        var html = PageHTML(picture: picture)
        html.add(blocks)
        return html.text
    }

    /// The page as a complete document, for `fullscreen.html` of a manifest. Visitors' devices show it in a sandbox
    /// without network access. So it includes its style, and its pictures are `data:` addresses.
    package func htmlDocument(
        title: String, language: Language, picture: @escaping (PictureUse) -> PagePicture?
    ) -> String {
        let title = escapedMarkup(title.unicodeScalars)
        return """
            <!doctype html><html lang="\(language)"><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">\
            <title>\(title)</title><style>\(Self.style)</style><body dir="auto"><h1>\(title)</h1>\
            \(html(picture: picture))
            """
    }

    private static let style = """
        body{font:1.125rem/1.55 Georgia,serif;max-width:36em;margin:2em auto;padding:0 1em;overflow-wrap:break-word}\
        img{max-width:100%;height:auto;display:block;margin:1em auto}h1,h2,h3,h4{line-height:1.2}\
        blockquote{margin:1em 0;padding-inline-start:1em;border-inline-start:.25em solid}
        """

    /// The plain text, with one line for each block: for searching, differences and tables.
    package var plainText: String {
        var lines: [String] = []
        for block in blocks { block.collect(&lines) }
        return lines.joined(separator: "\n")
    }
}

private struct PageHTML {
    let picture: (PictureUse) -> PagePicture?
    private(set) var text = ""

    init(picture: @escaping (PictureUse) -> PagePicture?) {
        self.picture = picture
    }

    /// The depth of the recursion is that of the page, which is limited when the page is read.
    mutating func add(_ blocks: [PageText.Block]) {
        for block in blocks { add(block) }
    }

    private mutating func add(_ block: PageText.Block) {
        switch block {
        case .paragraph(let inlines): element("p") { $0.add(inlines) }
        case .heading(let level, let inlines): element("h\(min(max(level, 2), 4))") { $0.add(inlines) }
        case .bulletList(let items): element("ul") { $0.add(items) }
        case .orderedList(let items): element("ol") { $0.add(items) }
        case .blockquote(let blocks): element("blockquote") { $0.add(blocks) }
        case .horizontalRule: text += "<hr>"
        case .picture(let use): if let shown = picture(use) { add(shown) }
        }
    }

    private mutating func add(_ items: [[PageText.Block]]) {
        for item in items { element("li") { $0.add(item) } }
    }

    private mutating func add(_ picture: PagePicture) {
        text += "<img src=\"\(escaped(picture.source))\" alt=\"\(escaped(picture.alt))\""
        if let width = picture.width { text += " width=\"\(width)\"" }
        if let height = picture.height { text += " height=\"\(height)\"" }
        text += ">"
    }

    private mutating func add(_ inlines: [PageText.Inline]) {
        for inline in inlines {
            switch inline {
            case .lineBreak: text += "<br>"
            case .text(let words, let marks): add(words, marks.inOrder[...])
            }
        }
    }

    private mutating func add(_ words: String, _ marks: ArraySlice<PageText.Mark>) {
        guard let mark = marks.first else {
            text += escaped(words)
            return
        }
        let rest = marks.dropFirst()
        switch mark {
        case .bold: element("strong") { $0.add(words, rest) }
        case .italic: element("em") { $0.add(words, rest) }
        case .underline: element("u") { $0.add(words, rest) }
        case .superscript: element("sup") { $0.add(words, rest) }
        case .subscript: element("sub") { $0.add(words, rest) }
        case .link(let address) where PageLink.isPublished(address):
            text += "<a href=\"\(escaped(address))\" rel=\"noopener noreferrer\">"
            add(words, rest)
            text += "</a>"
        case .link: add(words, rest)
        }
    }

    private mutating func element(_ name: String, _ body: (inout PageHTML) -> Void) {
        text += "<\(name)>"
        body(&self)
        text += "</\(name)>"
    }

    private func escaped(_ words: String) -> String { escapedMarkup(words.unicodeScalars.filter(\.isXMLCharacter)) }
}

extension PageText.Block {
    fileprivate func collect(_ lines: inout [String]) {
        switch self {
        case .paragraph(let inlines), .heading(_, let inlines):
            let line = inlines.reduce(into: "") { line, inline in
                switch inline {
                case .text(let text, _): line += text
                case .lineBreak: line += "\n"
                }
            }
            if !line.isEmpty { lines.append(line) }
        case .bulletList(let items), .orderedList(let items):
            for item in items { for block in item { block.collect(&lines) } }
        case .blockquote(let blocks): for block in blocks { block.collect(&lines) }
        case .horizontalRule, .picture: break
        }
    }
}
