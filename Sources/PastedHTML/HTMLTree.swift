internal import CGumbo
internal import Curation

/// Reads the tree of a document.
enum HTMLTree {
    /// In bytes: enough for the nodes of a text of the greatest size.
    private static let memory = 128 << 20
    /// In bytes: a quarter of the stack of the cooperative pool's threads.
    private static let stack = 128 << 10
    private static let nanoseconds: Int64 = 1_000_000_000

    /// The page; nil if the text exceeds the limits.
    static func page(_ html: String) -> PageText? {
        guard let arena = cgumbo_new(memory) else { return nil }
        defer { cgumbo_free(arena) }
        // Gumbo keeps pointers into the text, and expects a zero after it.
        return html.utf8CString.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress,
                let document = cgumbo_parse(arena, start, text.count - 1, stack, nanoseconds)
            else { return nil }
            return page(of: document)
        }
    }

    /// Walks the tree without recursion, because the sender determines its depth.
    private static func page(of document: UnsafePointer<GumboNode>) -> PageText {
        var builder = PageBuilder()
        var open = [OpenNode(node: document)]
        while var last = open.popLast() {
            guard let child = last.node.child(last.next) else {
                for _ in 0..<last.closing { builder.close() }
                continue
            }
            last.next += 1
            open.append(last)
            switch child.pointee.type {
            case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
                builder.text(String(cString: child.pointee.v.text.text))
            case GUMBO_NODE_ELEMENT:
                let element = HTMLElement(child.pointee.v.element)
                guard !element.isDropped else { continue }
                open.append(OpenNode(node: child, closing: builder.open(element)))
            default: continue
            }
        }
        return builder.page
    }
}

private struct OpenNode {
    var node: UnsafePointer<GumboNode>
    /// The index of the next child.
    var next = 0
    /// How many times to close in the builder at the end of the node.
    var closing = 0
}

extension UnsafePointer<GumboNode> {
    /// The child with this index; nil after the last one.
    fileprivate func child(_ index: Int) -> UnsafePointer<GumboNode>? {
        let children =
            switch pointee.type {
            case GUMBO_NODE_DOCUMENT: pointee.v.document.children
            default: pointee.v.element.children
            }
        guard index < Int(children.length), let child = children.data[index] else { return nil }
        return UnsafePointer(child.assumingMemoryBound(to: GumboNode.self))
    }
}
