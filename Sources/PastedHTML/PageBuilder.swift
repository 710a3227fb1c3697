internal import Curation

/// Builds a page from the elements and texts of a document, in their order.
struct PageBuilder {
    /// The open elements: containers of blocks, and elements that change the look of texts.
    private var open: [Open] = []
    private var containers: [Container] = [Container(.page)]
    private var marks: Set<PageText.Mark> = []
    private var heading: Int?
    private var keepsLineEnds = false
    private var line = InlineRun()

    private enum Open {
        case container, block
        case marks(Set<PageText.Mark>)
        case heading(Int?)
        case lineEnds(Bool)
        case cell
    }

    /// The page, with all open elements closed.
    var page: PageText {
        var rest = self
        while !rest.open.isEmpty { rest.close() }
        rest.endLine()
        return PageText(rest.containers.first?.blocks ?? [])
    }

    /// Starts an element.
    ///
    /// - Returns: how many times to call `close` at its end.
    mutating func open(_ element: HTMLElement) -> Int {
        let before = open.count
        let inner = element.marks(in: marks)
        if inner != marks {
            open.append(.marks(marks))
            marks = inner
        }
        if element.keepsLineEnds, !keepsLineEnds {
            open.append(.lineEnds(keepsLineEnds))
            keepsLineEnds = true
        }
        begin(element)
        return open.count - before
    }

    private mutating func begin(_ element: HTMLElement) {
        switch element.name {
        case "ul", "menu", "dir": push(.bulletList)
        case "ol": push(.orderedList)
        case "li": push(.item)
        case "blockquote": push(.blockquote)
        case "p" where element.isListParagraph:
            push(.bulletList)
            push(.item)
        case "h1", "h2", "h3", "h4", "h5", "h6":
            block()
            open.append(.heading(heading))
            // The first level is the page's title.
            heading = min(max(Int(element.name.dropFirst()) ?? 2, 2), 4)
        case "td", "th":
            if !line.isBlank { line.add(" · ", marks: []) }
            open.append(.cell)
        case "br":
            if line.endsWithBreak { endLine() } else { line.addBreak() }
        case "hr":
            endLine()
            add(.horizontalRule)
        case "img":
            guard let picture = element.picture else { return }
            endLine()
            add(.picture(picture))
        case let name where Self.blocks.contains(name): block()
        default: break
        }
    }

    private static let blocks: Set<String> = [
        "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "legend", "main", "nav", "p", "pre",
        "search", "section", "summary", "table", "tbody", "tfoot", "thead", "tr",
    ]

    /// Ends the element part that was opened last.
    mutating func close() {
        switch open.popLast() {
        case .container:
            endLine()
            endContainer()
        case .block: endLine()
        case .heading(let outer):
            endLine()
            heading = outer
        case .marks(let outer): marks = outer
        case .lineEnds(let outer): keepsLineEnds = outer
        case .cell, nil: break
        }
    }

    mutating func text(_ text: String) {
        let text = text.withoutControls
        guard keepsLineEnds else { return line.add(text, marks: marks) }
        for (index, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { line.addBreak() }
            line.add(String(part), marks: marks)
        }
    }

    // MARK: - Blocks

    private mutating func block() {
        endLine()
        open.append(.block)
    }

    /// Starts a container. Beyond the maximum level of a page, the content stays on the level that was reached.
    private mutating func push(_ kind: Container.Kind) {
        endLine()
        let isNesting = kind != .item
        guard containers.count(where: { $0.kind != .item }) <= PageText.mostLevels || !isNesting else {
            return open.append(.block)
        }
        // An entry outside of a list is a block.
        if kind == .item, containers.last?.isList != true { return open.append(.block) }
        containers.append(Container(kind))
        open.append(.container)
    }

    private mutating func endContainer() {
        guard containers.count > 1, let container = containers.popLast() else { return }
        if container.kind == .item {
            containers[containers.count - 1].add(item: container.blocks)
        } else if let block = container.block {
            add(block)
        }
    }

    private mutating func endLine() {
        let inlines = line.ended()
        guard !inlines.isEmpty else { return }
        add(heading.map { .heading(level: $0, inlines) } ?? .paragraph(inlines))
    }

    private mutating func add(_ block: PageText.Block) {
        containers[containers.count - 1].add(block)
    }
}
