extension PageText {
    /// The most characters of one page's text.
    package static let mostCharacters = 100_000
    /// Four octets for each character, so that all scripts can have the same length.
    static let mostOctets = 4 * mostCharacters
    /// The most blocks, list entries, texts and breaks of one page.
    package static let mostParts = 20_000
    /// The most levels of lists and quotes within each other.
    package static let mostLevels = 10

    /// The limit that is exceeded; nil if none is.
    package var excess: Problem? {
        var size = PageSize()
        for block in blocks {
            if let problem = size.add(block, level: 0) { return problem }
        }
        return nil
    }
}

/// Counts a page's parts.
private struct PageSize {
    private var octets = 0
    private var parts = 0

    /// The recursion ends at the maximum level.
    mutating func add(_ block: PageText.Block, level: Int) -> Problem? {
        parts += 1
        switch block {
        case .paragraph(let inlines), .heading(_, let inlines):
            for inline in inlines {
                parts += 1
                if case .text(let text, _) = inline { octets += text.utf8.count }
            }
        case .bulletList(let items), .orderedList(let items):
            parts += items.count
            for item in items {
                if let problem = add(item, level: level + 1) { return problem }
            }
        case .blockquote(let blocks): return add(blocks, level: level + 1)
        case .horizontalRule, .picture: break
        }
        guard octets <= PageText.mostOctets, parts <= PageText.mostParts else {
            return Problem(.pageTooLarge, "\(PageText.mostCharacters)")
        }
        return nil
    }

    private mutating func add(_ blocks: [PageText.Block], level: Int) -> Problem? {
        guard level <= PageText.mostLevels else { return Problem(.pageTooDeep, "\(PageText.mostLevels)") }
        for block in blocks {
            if let problem = add(block, level: level) { return problem }
        }
        return nil
    }
}
