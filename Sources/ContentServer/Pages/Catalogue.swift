import Curation
package import SiteFormat

/// The texts of the pages in one language.
package struct Catalogue: Sendable {
    /// A language tag: `en`.
    package let language: String
    /// By flat names such as `beacons.title`.
    let texts: [String: String]
    /// The same as a tree, for `{{t.beacons.title}}`.
    let tree: PageValue

    /// - Throws: `ContentError` if it is not an object of texts.
    package init(language: String, json: [UInt8], fallback: Catalogue?) throws(ContentError) {
        self.language = language
        let own = try decodeDocument([String: String].self, json: json, source: "\(language).json")
        texts = (fallback?.texts ?? [:]).merging(own) { $1 }
        tree = Self.tree(of: texts)
    }

    /// The text with a name, with `{0}`, `{1}` … replaced; the name itself if there is none.
    package func text(_ name: String, _ arguments: String...) -> String {
        text(name, arguments: arguments)
    }

    package func text(_ name: String, arguments: [String]) -> String {
        guard let text = texts[name] else { return name }
        return Problem.filled(text, arguments)
    }

    package func has(_ name: String) -> Bool { texts[name] != nil }

    /// A name that is also the start of longer names keeps its text under `_`: `{{t.menu._}}`.
    private static func tree(of texts: [String: String]) -> PageValue {
        let root = Branch()
        for (name, text) in texts {
            var branch = root
            for part in name.split(separator: ".") {
                let next = branch.children[String(part)] ?? Branch()
                branch.children[String(part)] = next
                branch = next
            }
            branch.text = text
        }
        return root.value
    }

    private final class Branch {
        var text: String?
        var children: [String: Branch] = [:]

        var value: PageValue {
            guard !children.isEmpty else { return .text(text ?? "") }
            var map = children.mapValues(\.value)
            if let text { map["_"] = .text(text) }
            return .map(map)
        }
    }
}
