extension FieldLabel {
    /// The label of a mistake's or a finding's field, such as `contents.left.action.value`, and the side in it.
    ///
    /// Nil if no part of the path has a label.
    package static func find(_ path: String) -> (label: FieldLabel, side: ContentItem.Side?)? {
        var parts = path.split(separator: ".").map(String.init)
        var side: ContentItem.Side?
        if parts.first == "contents" {
            parts.removeFirst()
            side = parts.first.flatMap { ContentItem.Side(rawValue: $0) }
            if side != nil { parts.removeFirst() }
        }
        if let first = parts.first, ["action", "page"].contains(first), parts.count > 1 {
            let name = "\(first)_\(parts[1] == "body" && first == "page" ? "text" : parts[1])"
            if let label = FieldLabel(rawValue: name) { return (label, side) }
        }
        // The last part that has a label: what follows it is a language or a number.
        guard let label = parts.reversed().lazy.compactMap({ FieldLabel(rawValue: $0) }).first else {
            return side.map { (.content, $0) }
        }
        return (label, side)
    }
}
