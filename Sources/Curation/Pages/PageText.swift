/// The text of a full page in the editor's form: a tree of blocks as in ProseMirror's JSON
/// (`{"type":"doc","content":[…]}`), with only the parts that are listed here.
package struct PageText: Hashable, Sendable {
    package var blocks: [Block]

    package init(_ blocks: [Block] = []) {
        self.blocks = blocks
    }

    package indirect enum Block: Hashable, Sendable {
        case paragraph([Inline])
        /// Levels 2 to 4. The first level is the page's title.
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
        /// An https, http, mailto or tel address.
        case link(String)
    }

    package var isEmpty: Bool { blocks.isEmpty }
}
