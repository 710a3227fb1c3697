internal import CGumbo
internal import Curation

/// An element's name, and those of its attributes that are used here.
struct HTMLElement {
    /// In lower case; empty for elements that are not part of HTML.
    let name: String
    private let attributes: [String: String]
    /// The declarations of the style attribute, in lower case.
    private let style: [String: String]

    /// Real elements have fewer. Further attributes would only cost time.
    private static let mostAttributes = 50

    init(_ element: GumboElement) {
        // No elements of SVG and MathML are kept.
        name =
            element.tag_namespace == GUMBO_NAMESPACE_HTML
            ? String(cString: gumbo_normalized_tagname(element.tag)) : "svg"
        var attributes: [String: String] = [:]
        for index in 0..<min(Int(element.attributes.length), Self.mostAttributes) {
            guard let attribute = element.attributes.data[index]?.assumingMemoryBound(to: GumboAttribute.self).pointee,
                let name = attribute.name, let value = attribute.value
            else { continue }
            let key = String(cString: name)
            guard Self.kept.contains(key) else { continue }
            attributes[key] = String(cString: value)
        }
        self.attributes = attributes
        style = Self.declarations(attributes["style"] ?? "")
    }

    private static let kept: Set<String> = ["style", "hidden", "href", "src", "alt", "aria-hidden"]

    var isDropped: Bool {
        Self.dropped.contains(name) || attributes["hidden"] != nil || attributes["aria-hidden"] == "true"
            || style["display"] == "none" || style["visibility"] == "hidden" || style["mso-hide"] == "all"
            // Word writes the bullet as text.
            || style["mso-list"] == "ignore"
    }

    private static let dropped: Set<String> = [
        "applet", "audio", "button", "canvas", "datalist", "embed", "frame", "frameset", "head", "iframe", "input",
        "keygen", "link", "map", "math", "meta", "meter", "noembed", "noframes", "noscript", "object", "option",
        "optgroup", "progress", "script", "select", "style", "svg", "template", "textarea", "title", "video",
    ]

    /// The link; nil if a page cannot have its address.
    var link: PageText.Mark? {
        guard let address = attributes["href"], let read = try? PageLink.read(address) else { return nil }
        return .link(read)
    }

    /// A picture of the media library; nil for a picture from elsewhere.
    var picture: PictureUse? {
        let start = "/media/"
        guard let address = attributes["src"], address.hasPrefix(start),
            let id = DocumentID(String(address.dropFirst(start.count).prefix { !"/?#".contains($0) }))
        else { return nil }
        var use = PictureUse(id)
        if let alt = attributes["alt"], !alt.isEmpty { use.alt = LocalizedText(alt, in: .undetermined) }
        return use
    }

    /// The marks of the text in the element, given the marks around it.
    func marks(in outer: Set<PageText.Mark>) -> Set<PageText.Mark> {
        var marks = outer
        switch name {
        case "b", "strong": marks.insert(.bold)
        case "i", "em", "cite", "dfn", "var": marks.insert(.italic)
        case "u", "ins": marks.insert(.underline)
        case "sup": marks.insert(.superscript)
        case "sub": marks.insert(.subscript)
        case "a":
            if let link { marks = marks.filter { $0.address == nil }.union([link]) }
        default: break
        }
        switch style["font-weight"] {
        case "bold", "bolder", "600", "700", "800", "900": marks.insert(.bold)
        case "normal", "lighter", "100", "200", "300", "400", "500": marks.remove(.bold)
        default: break
        }
        switch style["font-style"] {
        case "italic", "oblique": marks.insert(.italic)
        case "normal": marks.remove(.italic)
        default: break
        }
        switch style["vertical-align"] {
        case "super": marks.insert(.superscript)
        case "sub": marks.insert(.subscript)
        default: break
        }
        if marks.isSuperset(of: [.superscript, .subscript]) { marks.remove(.subscript) }
        // Links are underlined anyway.
        if let line = style["text-decoration"] ?? style["text-decoration-line"], line.contains("underline"), name != "a"
        {
            marks.insert(.underline)
        }
        return marks
    }

    /// Whether line ends in the element are shown.
    var keepsLineEnds: Bool {
        name == "pre" || style["white-space"]?.hasPrefix("pre") == true
    }

    /// Whether Word shows this paragraph as an entry of a list.
    var isListParagraph: Bool { style["mso-list"] != nil && style["mso-list"] != "none" }

    private static func declarations(_ text: String) -> [String: String] {
        var found: [String: String] = [:]
        for declaration in text.prefix(4000).lowercased().split(separator: ";") {
            guard let colon = declaration.firstIndex(of: ":") else { continue }
            let value = declaration[colon...].dropFirst().split(separator: "!").first.map(String.init) ?? ""
            found[String(declaration[..<colon]).trimmed] = value.trimmed
        }
        return found
    }
}
