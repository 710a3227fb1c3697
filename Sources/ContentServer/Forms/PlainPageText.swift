package import Curation

/// A page as plain text, for browsers without scripts: paragraphs between empty lines, `## ` before headings, `- ` and
/// `1. ` before the items of lists, `> ` before quotations, `---` for a rule.
package enum PlainPageText {
    /// Marks are not shown; pictures are shown as `![picture]`.
    package static func write(_ text: PageText) -> String {
        text.blocks.map(write).joined(separator: "\n\n")
    }

    /// - Parameters:
    ///   - plain: with a line feed at the end of each line, as in the fields of a form.
    ///   - known: what the page was. Where the plain text is the same, it is kept with its marks and pictures; so is
    ///     each block that is still written the same.
    package static func read(_ plain: String, over known: PageText?) -> PageText {
        if let known, plain == write(known) { return known }
        var old: [String: ArraySlice<PageText.Block>] = [:]
        for block in known?.blocks ?? [] { old[write(block), default: []].append(block) }
        let blocks = paragraphs(plain.withoutControls).compactMap { chunk in
            old[chunk]?.popFirst() ?? block(chunk)
        }
        return PageText(blocks)
    }

    private static func paragraphs(_ text: String) -> [String] {
        var chunks: [[Substring]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) {
                chunks.append([])
            } else {
                chunks[chunks.count - 1].append(line)
            }
        }
        return chunks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
    }

    private static func block(_ chunk: String) -> PageText.Block? {
        let lines = chunk.split(separator: "\n").map { String($0).trimmed }
        if lines == [pictureMark] { return nil }
        if lines == ["---"] { return .horizontalRule }
        if lines.count == 1, let level = (2...4).first(where: { lines[0].hasPrefix(hashes($0) + " ") }) {
            return .heading(level: level, inlines([String(lines[0].dropFirst(level + 1))]))
        }
        if lines.allSatisfy({ $0.hasPrefix("- ") }) {
            return .bulletList(lines.map { [.paragraph(inlines([String($0.dropFirst(2))]))] })
        }
        if let items = numbered(lines) {
            return .orderedList(items.map { [.paragraph(inlines([$0]))] })
        }
        if lines.allSatisfy({ $0.hasPrefix("> ") }) {
            return .blockquote([.paragraph(inlines(lines.map { String($0.dropFirst(2)) }))])
        }
        return .paragraph(inlines(lines))
    }

    private static func numbered(_ lines: [String]) -> [String]? {
        var items: [String] = []
        for line in lines {
            guard let dot = line.firstIndex(of: "."), UInt16(line[..<dot]) != nil,
                line[line.index(after: dot)...].hasPrefix(" ")
            else { return nil }
            items.append(line[line.index(after: dot)...].description.trimmed)
        }
        return items.isEmpty ? nil : items
    }

    private static func inlines(_ lines: [String]) -> [PageText.Inline] {
        var result: [PageText.Inline] = []
        for line in lines {
            if !result.isEmpty { result.append(.lineBreak) }
            if !line.isEmpty { result.append(.text(line, marks: [])) }
        }
        return result
    }

    private static func write(_ block: PageText.Block) -> String {
        switch block {
        case .paragraph(let inlines): write(inlines)
        case .heading(let level, let inlines): "\(hashes(level)) \(write(inlines))"
        case .bulletList(let items): items.map { "- \(write($0))" }.joined(separator: "\n")
        case .orderedList(let items):
            items.enumerated().map { "\($0.offset + 1). \(write($0.element))" }.joined(separator: "\n")
        case .blockquote(let blocks):
            write(blocks).split(separator: "\n").map { "> \($0)" }.joined(separator: "\n")
        case .horizontalRule: "---"
        case .picture: pictureMark
        }
    }

    private static func write(_ blocks: [PageText.Block]) -> String {
        blocks.map(write).joined(separator: "\n")
    }

    private static func write(_ inlines: [PageText.Inline]) -> String {
        inlines.map { inline in
            switch inline {
            case .text(let text, _): text
            case .lineBreak: "\n"
            }
        }.joined()
    }

    private static let pictureMark = "![picture]"

    private static func hashes(_ count: Int) -> String { String(repeating: "#", count: count) }
}
