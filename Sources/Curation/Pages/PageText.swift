/// The text of a full page, as the editor keeps it: a tree of blocks in ProseMirror's JSON form
/// (`{"type":"doc","content":[…]}`), of which only what is listed here exists.
package struct PageText: Hashable, Sendable {
    package var blocks: [Block]

    package init(_ blocks: [Block] = []) {
        self.blocks = blocks
    }

    package indirect enum Block: Hashable, Sendable {
        case paragraph([Inline])
        /// Levels 2 to 4: the first is the page's title.
        case heading(level: Int, [Inline])
        case bulletList([[Block]])
        case orderedList([[Block]])
        case blockquote([Block])
        case horizontalRule
        case picture(PictureUse)
    }

    package enum Inline: Hashable, Sendable {
        case text(String, marks: Set<Mark>)
        case lineBreak
    }

    package enum Mark: Hashable, Sendable {
        case bold, italic, underline, superscript, `subscript`
        /// An https, mailto or tel address.
        case link(String)
    }

    package var isEmpty: Bool { blocks.isEmpty }
}
