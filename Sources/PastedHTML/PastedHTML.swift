package import Curation

/// Reads HTML from other programs as the text of a page.
package enum PastedHTML {
    /// The most bytes of input: far more than a page has, because word processors add much.
    package static let mostBytes = 1 << 20

    /// Reads HTML by the rules of browsers, and keeps what a page can have: text, headings, lists, quotes, emphasis and
    /// links. It removes scripts, styles, comments, forms, pictures from elsewhere, and everything hidden.
    ///
    /// Hostile input can take up to a second of processor time, so call it on a thread of its own.
    ///
    /// - Throws: `pageTooLarge`.
    package static func page(_ html: String) throws(Problem) -> PageText {
        guard html.utf8.count <= mostBytes, let page = HTMLTree.page(html) else {
            throw Problem(.pageTooLarge, "\(PageText.mostCharacters)")
        }
        if let excess = page.excess { throw excess }
        return page
    }
}
