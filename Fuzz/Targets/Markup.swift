import Foundation
import FoundationXML

/// XML as a program that is not ours reads it.
final class Markup: NSObject, XMLParserDelegate {
    struct Element: Equatable {
        let name: String
        let attributes: [String: String]
    }

    private(set) var elements: [Element] = []
    private(set) var text = ""

    /// - Throws: if the text is not well-formed.
    init(xml: String) throws(BrokenInvariant) {
        super.init()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = self
        let isRead = parser.parse() && parser.parserError == nil
        try require(isRead, "XML that is not well-formed, line \(parser.lineNumber): \(xml)")
    }

    /// - Throws: if the text, a part of a page, would not be well-formed with its void elements closed.
    convenience init(html: String) throws(BrokenInvariant) {
        // Nothing but our own writer puts a `<` into the text: what is in a page is escaped.
        // An accent behind a `>` is one character with it, so scalars are compared.
        let closed = html.replacing(#/<(br|hr|img [^>]*)>/#.matchingSemantics(.unicodeScalar)) { "<\($0.1)/>" }
        try self.init(xml: "<body>\(closed)</body>")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
