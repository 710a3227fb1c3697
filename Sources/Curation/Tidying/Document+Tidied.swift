extension Document {
    /// The document in the form in which it is saved: texts are trimmed, addresses are in one form without invisible
    /// characters, and empty texts are removed. A value that cannot be read is kept as it was typed, and
    /// `DocumentCheck` reports it.
    package var tidied: Document {
        switch self {
        case .beacon(let body): .beacon(body.tidied)
        case .image(let body): .image(body.tidied)
        case .media(let body): .media(body.tidied)
        case .plan(let body): .plan(body.tidied)
        case .site(let body): .site(body.tidied)
        }
    }
}

extension BeaconDocument {
    fileprivate var tidied: Self {
        var result = self
        result.name = name.mapped(\.tidiedLine)
        result.note = note.tidiedLines
        result.floor = floor.tidiedLine
        return result
    }
}

extension PlanDocument {
    fileprivate var tidied: Self {
        var result = self
        result.name = name.mapped(\.tidiedLine)
        result.floor = floor.tidiedLine
        return result
    }
}

extension MediaDocument {
    fileprivate var tidied: Self {
        var result = self
        result.name = name.tidiedLine
        result.tags = tidiedTags(tags)
        return result
    }
}

extension SiteDocument {
    fileprivate var tidied: Self {
        var result = self
        result.title = title.tidiedLine
        return result
    }
}

extension ImageDocument {
    fileprivate var tidied: Self {
        var result = self
        result.title = title.mapped(\.tidiedLine)
        result.picture = picture?.tidied
        result.contents = contents.map(\.tidied)
        if var page {
            page.title = page.title.mapped(\.tidiedLine)
            page.body.values = page.body.values.filter { !$0.value.isEmpty }
            for (language, body) in page.body.values {
                page.body[language] = body.mappingPictures { $0.inLanguage(language) }
            }
            // A page without a title and text is removed.
            result.page = page.title.isEmpty && page.body.isEmpty ? nil : page
        }
        result.transcript = transcript.mapped(\.tidiedLines)
        result.category = category.tidiedLine
        result.tags = tidiedTags(tags)
        return result
    }
}

extension ContentItem {
    fileprivate var tidied: Self {
        var result = self
        result.label = label.mapped(\.tidiedLine)
        result.pictures = pictures.map(\.tidied)
        result.videoURL = videoURL?.tidiedValue
        if let address = result.videoURL { result.videoURL = address.isEmpty ? nil : LinkAddress.completed(address) }
        result.action = action?.tidied
        return result
    }
}

extension PictureUse {
    fileprivate var tidied: Self {
        var result = self
        result.alt = alt.mapped(\.tidiedLines)
        return result
    }

    /// Sets the language of a text that an editor has saved without one.
    fileprivate func inLanguage(_ language: Language) -> Self {
        var result = tidied
        if let text = result.alt[.undetermined] {
            result.alt[.undetermined] = nil
            result.alt[language] = text
        }
        return result
    }
}

extension ActionItem {
    fileprivate var tidied: Self {
        var result = self
        result.name = name.mapped(\.tidiedLine)
        result.description = description.mapped(\.tidiedLines)
        result.overlayText = overlayText.mapped(\.tidiedLines)
        result.value = (try? ActionValue.read(value, kind: kind)) ?? value.tidiedValue
        // Only mail has parameters. Those of other kinds remain from a change of the kind.
        result.parameters =
            kind == .email ? parameters.mapValues(\.tidiedLines).filter { !$0.value.isEmpty } : [:]
        return result
    }
}

/// The tags in their order, without empty and repeated ones.
private func tidiedTags(_ tags: [String]) -> [String] {
    var seen: Set<String> = []
    return tags.map(\.tidiedLine).filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
}
