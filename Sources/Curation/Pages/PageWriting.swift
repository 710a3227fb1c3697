/// Writes a page's nodes with the names of the editor (Tiptap).
struct PageWriting {
    typealias Node = KeyedEncodingContainer<PageNodeKeys>

    /// The language of the alternative text, because the editor has only one. Nil to write all languages.
    var language: Language?

    func write(_ blocks: [PageText.Block], to node: inout Node) throws {
        var list = node.nestedUnkeyedContainer(forKey: .content)
        for block in blocks {
            var child = list.nestedContainer(keyedBy: PageNodeKeys.self)
            try write(block, to: &child)
        }
    }

    private func write(_ block: PageText.Block, to node: inout Node) throws {
        switch block {
        case .paragraph(let inlines):
            try node.encode("paragraph", forKey: .type)
            try write(inlines, to: &node)
        case .heading(let level, let inlines):
            try node.encode("heading", forKey: .type)
            var attributes = node.nestedContainer(keyedBy: PageAttributeKeys.self, forKey: .attrs)
            try attributes.encode(level, forKey: .level)
            try write(inlines, to: &node)
        case .bulletList(let items): try write(items, as: "bulletList", to: &node)
        case .orderedList(let items): try write(items, as: "orderedList", to: &node)
        case .blockquote(let blocks):
            try node.encode("blockquote", forKey: .type)
            try write(blocks, to: &node)
        case .horizontalRule: try node.encode("horizontalRule", forKey: .type)
        case .picture(let use):
            try node.encode("picture", forKey: .type)
            var attributes = node.nestedContainer(keyedBy: PageAttributeKeys.self, forKey: .attrs)
            try attributes.encode(use.media, forKey: .media)
            if let language {
                try attributes.encode(use.alt.any([language]) ?? "", forKey: .alt)
            } else {
                try attributes.encode(use.alt, forKey: .alt)
            }
            try attributes.encode(use.isDecorative, forKey: .decorative)
        }
    }

    private func write(_ items: [[PageText.Block]], as type: String, to node: inout Node) throws {
        try node.encode(type, forKey: .type)
        var list = node.nestedUnkeyedContainer(forKey: .content)
        for item in items {
            var child = list.nestedContainer(keyedBy: PageNodeKeys.self)
            try child.encode("listItem", forKey: .type)
            try write(item, to: &child)
        }
    }

    private func write(_ inlines: [PageText.Inline], to node: inout Node) throws {
        guard !inlines.isEmpty else { return }
        var list = node.nestedUnkeyedContainer(forKey: .content)
        for inline in inlines {
            var child = list.nestedContainer(keyedBy: PageNodeKeys.self)
            switch inline {
            case .text(let text, let marks):
                try child.encode("text", forKey: .type)
                try child.encode(text, forKey: .text)
                try write(marks, to: &child)
            case .lineBreak: try child.encode("hardBreak", forKey: .type)
            }
        }
    }

    private func write(_ marks: Set<PageText.Mark>, to node: inout Node) throws {
        guard !marks.isEmpty else { return }
        var list = node.nestedUnkeyedContainer(forKey: .marks)
        for mark in marks.inOrder {
            var child = list.nestedContainer(keyedBy: PageNodeKeys.self)
            try child.encode(mark.name, forKey: .type)
            guard let address = mark.address else { continue }
            var attributes = child.nestedContainer(keyedBy: PageAttributeKeys.self, forKey: .attrs)
            try attributes.encode(address, forKey: .href)
        }
    }
}
