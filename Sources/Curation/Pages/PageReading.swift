import Text

/// Reads the nodes of a page, within limits.
struct PageReading {
    private typealias Node = KeyedDecodingContainer<PageNodeKeys>

    private var parts = 0
    private var octets = 0

    /// The recursion ends at the maximum level.
    mutating func blocks(of node: KeyedDecodingContainer<PageNodeKeys>, level: Int) throws -> [PageText.Block] {
        try children(of: node, level: level) { reading, child in try reading.block(child, level: level) }
    }

    private mutating func block(_ node: Node, level: Int) throws -> PageText.Block? {
        switch try node.decode(String.self, forKey: .type) {
        case "paragraph": return .paragraph(try inlines(of: node))
        case "heading":
            let level = try attributes(of: node)?.decodeIfPresent(Int.self, forKey: .level) ?? 2
            return .heading(level: min(max(level, 2), 4), try inlines(of: node))
        case "bulletList", "bullet_list": return list(try items(of: node, level: level + 1)) { .bulletList($0) }
        case "orderedList", "ordered_list": return list(try items(of: node, level: level + 1)) { .orderedList($0) }
        case "blockquote":
            let blocks = try blocks(of: node, level: level + 1)
            return blocks.isEmpty ? nil : .blockquote(blocks)
        case "horizontalRule", "horizontal_rule": return .horizontalRule
        case "picture", "image": return .picture(try picture(of: node))
        default: throw unknown(node)
        }
    }

    private func list(_ items: [[PageText.Block]], _ block: ([[PageText.Block]]) -> PageText.Block) -> PageText.Block? {
        items.isEmpty ? nil : block(items)
    }

    private mutating func items(of node: Node, level: Int) throws -> [[PageText.Block]] {
        try children(of: node, level: level) { reading, child in
            switch try child.decode(String.self, forKey: .type) {
            case "listItem", "list_item": try reading.blocks(of: child, level: level)
            default: throw reading.unknown(child)
            }
        }
    }

    private mutating func inlines(of node: Node) throws -> [PageText.Inline] {
        try children(of: node, level: 0) { reading, child in
            switch try child.decode(String.self, forKey: .type) {
            case "text":
                let text = try child.decode(String.self, forKey: .text).withoutControls
                try reading.count(octets: text.utf8.count, child)
                return text.isEmpty ? nil : .text(text, marks: try reading.marks(of: child))
            case "hardBreak", "hard_break": return .lineBreak
            default: throw reading.unknown(child)
            }
        }
    }

    private func marks(of node: Node) throws -> Set<PageText.Mark> {
        guard node.contains(.marks) else { return [] }
        var list = try node.nestedUnkeyedContainer(forKey: .marks)
        var marks: Set<PageText.Mark> = []
        while !list.isAtEnd {
            let mark = try list.nestedContainer(keyedBy: PageNodeKeys.self)
            switch try mark.decode(String.self, forKey: .type) {
            case "bold", "strong": marks.insert(.bold)
            case "italic", "em": marks.insert(.italic)
            case "underline": marks.insert(.underline)
            case "superscript", "sup": marks.insert(.superscript)
            case "subscript", "sub": marks.insert(.subscript)
            case "link":
                // A text can have only one link.
                guard marks.allSatisfy({ $0.address == nil }) else { continue }
                marks.insert(.link(try address(of: mark)))
            default: throw unknown(mark)
            }
        }
        return marks
    }

    private func address(of mark: Node) throws -> String {
        let attributes = try mark.nestedContainer(keyedBy: PageAttributeKeys.self, forKey: .attrs)
        do {
            return try PageLink.read(try attributes.decode(String.self, forKey: .href))
        } catch let problem as Problem {
            throw DecodingError.dataCorruptedError(
                forKey: .href, in: attributes, debugDescription: problem.english)
        }
    }

    private func picture(of node: Node) throws -> PictureUse {
        let attributes = try node.nestedContainer(keyedBy: PageAttributeKeys.self, forKey: .attrs)
        var use = PictureUse(try media(in: attributes))
        // Editors keep a single text, in the language of the page.
        if let text = try? attributes.decodeIfPresent(String.self, forKey: .alt) {
            if !text.trimmed.isEmpty { use.alt = LocalizedText(text, in: .undetermined) }
        } else {
            use.alt = try attributes.value(forKey: .alt, or: LocalizedText())
        }
        use.isDecorative = try attributes.value(forKey: .decorative, or: false)
        return use
    }

    /// The picture's id, given directly or in the address of its page: `/media/{id}`.
    private func media(in attributes: KeyedDecodingContainer<PageAttributeKeys>) throws -> DocumentID {
        if let id = try attributes.decodeIfPresent(DocumentID.self, forKey: .media) { return id }
        let address = try attributes.decode(String.self, forKey: .src)
        let start = "/media/"
        guard address.hasPrefix(start),
            let id = DocumentID(String(address.dropFirst(start.count).prefix { !"/?#".contains($0) }))
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .src, in: attributes, debugDescription: "only pictures of the media library are possible")
        }
        return id
    }

    private func attributes(of node: Node) throws -> KeyedDecodingContainer<PageAttributeKeys>? {
        guard node.contains(.attrs), try !node.decodeNil(forKey: .attrs) else { return nil }
        return try node.nestedContainer(keyedBy: PageAttributeKeys.self, forKey: .attrs)
    }

    private mutating func children<Part>(
        of node: Node, level: Int, _ read: (inout PageReading, Node) throws -> Part?
    ) throws -> [Part] {
        guard level <= PageText.mostLevels else {
            throw failure(node, Problem(.pageTooDeep, "\(PageText.mostLevels)"))
        }
        guard node.contains(.content), try !node.decodeNil(forKey: .content) else { return [] }
        var list = try node.nestedUnkeyedContainer(forKey: .content)
        var parts: [Part] = []
        while !list.isAtEnd {
            let child = try list.nestedContainer(keyedBy: PageNodeKeys.self)
            try count(octets: 0, child)
            if let part = try read(&self, child) { parts.append(part) }
        }
        return parts
    }

    private mutating func count(octets: Int, _ node: Node) throws {
        self.octets += octets
        if octets == 0 { parts += 1 }
        guard parts <= PageText.mostParts, self.octets <= PageText.mostOctets else {
            throw failure(node, Problem(.pageTooLarge, "\(PageText.mostCharacters)"))
        }
    }

    private func unknown(_ node: Node) -> DecodingError {
        let type = (try? node.decode(String.self, forKey: .type)) ?? ""
        return failure(node, Problem(.pageUnknownPart, String(type.prefix(FieldLimits.tag))))
    }

    private func failure(_ node: Node, _ problem: Problem) -> DecodingError {
        .dataCorruptedError(forKey: .type, in: node, debugDescription: problem.english)
    }
}

extension String {
    /// The text without control characters other than line ends and tabs, and without what XML cannot represent.
    package var withoutControls: String {
        guard !unicodeScalars.allSatisfy(\.isForPages) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.filter(\.isForPages)))
    }
}

extension Unicode.Scalar {
    fileprivate var isForPages: Bool {
        isXMLCharacter && (properties.generalCategory != .control || self == "\n" || self == "\t")
    }
}
