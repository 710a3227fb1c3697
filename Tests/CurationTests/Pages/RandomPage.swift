import Curation
import TestSupport

/// Random pages, with texts that try to be markup.
enum RandomPage {
    static func page(using generator: inout SeededGenerator) -> PageText {
        var blocks = blocks(1, using: &generator)
        // An empty end is not kept.
        while blocks.last?.isBlank == true { blocks.removeLast() }
        return PageText(blocks)
    }

    /// Whether HTML has an element or an attribute that pages do not have.
    static func hasForeignMarkup(_ html: String) -> Bool {
        let known = ["p", "h2", "h3", "h4", "ul", "ol", "li", "blockquote", "strong", "em", "u", "sup", "sub", "a"]
        for part in html.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
            guard let end = part.firstIndex(of: ">") else { return true }
            let tag = part[..<end]
            if tag == "br" || tag == "hr" || known.contains(String(tag.drop { $0 == "/" })) { continue }
            if tag.wholeMatch(of: /a href="(https:|tel:|mailto:)[^"]*" rel="noopener noreferrer"/) != nil { continue }
            if tag.wholeMatch(of: /img src="data:[a-z0-9-]*" alt="[^"]*" width="4" height="3"/) != nil { continue }
            return true
        }
        return false
    }

    private static func blocks(_ level: Int, using generator: inout SeededGenerator) -> [PageText.Block] {
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in block(level, using: &generator) }
    }

    private static func block(_ level: Int, using generator: inout SeededGenerator) -> PageText.Block {
        switch Int.random(in: 0...(level < 4 ? 7 : 4), using: &generator) {
        case 0, 1: return .paragraph(inlines(using: &generator))
        case 2: return .heading(level: Int.random(in: 2...4, using: &generator), inlines(using: &generator))
        case 3: return .horizontalRule
        case 4:
            var use = PictureUse(.random(using: &generator))
            use.alt = LocalizedText(text(using: &generator), in: .english)
            use.isDecorative = Bool.random(using: &generator)
            return .picture(use)
        case 5: return .bulletList([blocks(level + 1, using: &generator)])
        case 6: return .orderedList([blocks(level + 1, using: &generator), blocks(level + 1, using: &generator)])
        default: return .blockquote(blocks(level + 1, using: &generator))
        }
    }

    private static func inlines(using generator: inout SeededGenerator) -> [PageText.Inline] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            guard Int.random(in: 0...5, using: &generator) > 0 else { return .lineBreak }
            let all: [PageText.Mark] = [
                .bold, .italic, .underline, .superscript, .subscript, .link("https://example.org/?a=1&b=<"),
                .link("tel:+431234"), .link("http://example.org/"),
            ]
            // Only one link a text.
            var marks = Set(all[..<5].filter { _ in Bool.random(using: &generator) })
            if Bool.random(using: &generator), let link = all[6...].randomElement(using: &generator) {
                marks.insert(link)
            }
            return .text(text(using: &generator), marks: marks)
        }
    }

    private static func text(using generator: inout SeededGenerator) -> String {
        let texts = [
            "A whale", "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "&amp;&#60;", "</p></body>",
            "' onclick='x", "漢字 \u{200D}\u{202E}", "{{t.key}}", "-->", "]]>", "\u{E000}",
        ]
        return (0..<Int.random(in: 1...3, using: &generator))
            .map { _ in texts.randomElement(using: &generator) ?? "" }.joined()
    }
}
