internal import Curation

/// The page, a quote, a list or a list entry while it is built.
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

    /// Nil for an empty container, and for the page and entries, which are not blocks.
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
            // A list inside a list belongs to the entry before it. Other blocks become entries.
            if block.isList, !items.isEmpty {
                items[items.count - 1].append(block)
            } else {
                add(item: [block])
            }
            return
        }
        // Word writes each entry as a paragraph, so consecutive bullet lists are merged.
        if case .bulletList(let more) = block, case .bulletList(let list)? = blocks.last {
            blocks[blocks.count - 1] = .bulletList(list + more)
        } else {
            blocks.append(block)
        }
    }

    /// Adds an entry. Editors need a paragraph at its start.
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
