extension PageText.Mark {
    /// The address of a link; nil for other marks.
    package var address: String? { if case .link(let address) = self { address } else { nil } }

    /// The mark's name in the editor.
    var name: String {
        switch self {
        case .bold: "bold"
        case .italic: "italic"
        case .underline: "underline"
        case .superscript: "superscript"
        case .subscript: "subscript"
        case .link: "link"
        }
    }
}

extension Set<PageText.Mark> {
    /// The marks in a fixed order, so that equal texts have equal bytes: the link is the outermost.
    var inOrder: [PageText.Mark] {
        sorted { left, right in
            (left.address == nil ? 1 : 0, left.name) < (right.address == nil ? 1 : 0, right.name)
        }
    }
}

extension PageText {
    /// The addresses of all links, in order.
    package var addresses: [String] {
        var found: [String] = []
        for block in blocks { block.collect(addresses: &found) }
        return found
    }
}

extension PageText.Block {
    fileprivate func collect(addresses: inout [String]) {
        switch self {
        case .paragraph(let inlines), .heading(_, let inlines):
            for case .text(_, let marks) in inlines { addresses += marks.compactMap(\.address) }
        case .bulletList(let items), .orderedList(let items):
            for item in items { for block in item { block.collect(addresses: &addresses) } }
        case .blockquote(let blocks): for block in blocks { block.collect(addresses: &addresses) }
        case .horizontalRule, .picture: break
        }
    }
}
