/// A use of a picture in a document, and its field.
package struct PictureField: Hashable, Sendable {
    /// The path in the document's JSON: `picture`, `contents.left.pictures.2`, `page.body.de`.
    package var field: String
    package var use: PictureUse
}

extension Document {
    /// All pictures with an alternative text, in the order of the document.
    package var pictures: [PictureField] {
        guard let image else { return [] }
        var fields: [PictureField] = []
        if let picture = image.picture { fields.append(PictureField(field: "picture", use: picture)) }
        for content in image.contents {
            for (index, use) in content.pictures.enumerated() {
                fields.append(PictureField(field: "\(content.field).pictures.\(index)", use: use))
            }
        }
        for (language, body) in image.page?.body.values.sorted(by: { $0.key < $1.key }) ?? [] {
            fields += body.pictures.map { PictureField(field: "page.body.\(language)", use: $0) }
        }
        return fields
    }
}

extension PageText {
    /// All pictures of the page, in order.
    package var pictures: [PictureUse] {
        var found: [PictureUse] = []
        for block in blocks { block.collect(&found) }
        return found
    }
}

extension PageText.Block {
    /// The depth of the recursion is that of the page, which is limited when the page is read.
    fileprivate func collect(_ pictures: inout [PictureUse]) {
        switch self {
        case .picture(let use): pictures.append(use)
        case .bulletList(let items), .orderedList(let items):
            for item in items { for block in item { block.collect(&pictures) } }
        case .blockquote(let blocks): for block in blocks { block.collect(&pictures) }
        case .paragraph, .heading, .horizontalRule: break
        }
    }
}

extension PageText {
    /// The page with other pictures in the same places.
    func mappingPictures(_ change: (PictureUse) -> PictureUse) -> PageText {
        PageText(blocks.map { $0.mappingPictures(change) })
    }
}

extension PageText.Block {
    fileprivate func mappingPictures(_ change: (PictureUse) -> PictureUse) -> Self {
        switch self {
        case .picture(let use): .picture(change(use))
        case .bulletList(let items): .bulletList(items.map { $0.map { $0.mappingPictures(change) } })
        case .orderedList(let items): .orderedList(items.map { $0.map { $0.mappingPictures(change) } })
        case .blockquote(let blocks): .blockquote(blocks.map { $0.mappingPictures(change) })
        case .paragraph, .heading, .horizontalRule: self
        }
    }
}
