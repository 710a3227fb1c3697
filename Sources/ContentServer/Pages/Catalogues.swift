package import SiteFormat

/// The texts of the pages in all languages.
package struct Catalogues: Sendable {
    /// In the order in which they are offered.
    package static let tags = ["en", "bs", "cs", "de"]

    private let resources: Resources
    private let catalogues: [String: Catalogue]

    package init(_ resources: Resources) throws(ContentError) {
        self.resources = resources
        catalogues = try Self.read(resources)
    }

    /// The texts of a language; those of English if there is no such language.
    package subscript(tag: String) -> Catalogue {
        let all = resources.folder == nil ? catalogues : (try? Self.read(resources)) ?? catalogues
        // `read` returns every tag, English among them.
        return all[tag] ?? all["en"]!
    }

    private static func read(_ resources: Resources) throws(ContentError) -> [String: Catalogue] {
        var all: [String: Catalogue] = [:]
        for tag in tags {
            // Every language falls back to English, which is the first.
            var catalogue = all["en"]
            // The texts of some pages have a file of their own: de-content.json.
            for name in Resources.Kind.languages.embedded.keys.sorted()
            where name == "\(tag).json" || name.hasPrefix("\(tag)-") {
                catalogue = try Catalogue(
                    language: tag, json: resources.octets(.languages, name) ?? Array("{}".utf8), fallback: catalogue)
            }
            all[tag] = catalogue
        }
        return all
    }

    /// The best language for a reader: the chosen one, else the first of `Accept-Language` that there is
    /// (RFC 9110, section 12.5.4).
    package static func best(chosen: String?, accepted: String?) -> String {
        if let chosen, tags.contains(chosen) { return chosen }
        let ranges = (accepted ?? "").prefix(1000).split(separator: ",").prefix(20).map { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (tag: (parts.first ?? "").lowercased(), weight: weight)
        }
        let sorted = ranges.enumerated().sorted {
            ($0.element.weight, -$0.offset) > ($1.element.weight, -$1.offset)
        }
        for (_, range) in sorted where range.weight > 0 {
            let primary = range.tag.split(separator: "-").first.map(String.init) ?? ""
            if tags.contains(primary) { return primary }
            // One catalogue for languages whose speakers read it without effort.
            if ["hr", "sr", "sh", "cnr"].contains(primary) { return "bs" }
        }
        return "en"
    }
}
