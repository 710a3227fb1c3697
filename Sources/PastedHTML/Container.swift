internal import Curation

/// A list, an entry of one, a quote or the page, while it is built.
struct Container {
    enum Kind {
        case page, blockquote, bulletList, orderedList, item
    }

    let kind: Kind
    private(set) var blocks: [PageText.Block] = []
    private var items: [[PageText.Block]] = []

    init(_ kind: Kind) {
        self.kind = kind
    }

    var isList: Bool { kind == .bulletList || kind == .orderedList }

    /// Nil for what is empty, and for the page and entries, which are no blocks.
    var block: PageText.Block? {
        switch kind {
        case .page, .item: nil
        case .blockquote: blocks.isEmpty ? nil : .blockquote(blocks)
        case .bulletList: items.isEmpty ? nil : .bulletList(items)
        case .orderedList: items.isEmpty ? nil : .orderedList(items)
        }
    }

    mutating func add(_ block: PageText.Block) {
        guard !isList else {
            // A list in a list belongs to the entry before it, and other blocks are entries.
            if block.isList, !items.isEmpty {
                items[items.count - 1].append(block)
            } else {
                add(item: [block])
            }
            return
        }
        // Word writes each entry as a paragraph: those after each other are one list.
        if case .bulletList(let more) = block, case .bulletList(let list)? = blocks.last {
            blocks[blocks.count - 1] = .bulletList(list + more)
        } else {
            blocks.append(block)
        }
    }

    /// Editors need a paragraph at the beginning of an entry.
    mutating func add(item: [PageText.Block]) {
        guard let first = item.first else { return }
        switch first {
        case .paragraph: items.append(item)
        case .heading(_, let inlines): items.append([.paragraph(inlines)] + item.dropFirst())
        default: items.append([.paragraph([])] + item)
        }
    }
}

extension PageText.Block {
    fileprivate var isList: Bool {
        switch self {
        case .bulletList, .orderedList: true
        default: false
        }
    }
}
