extension FieldLabel {
    /// The label of the field of a mistake or finding, such as `contents.left.action.value`, and the side in its path.
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
        // The last part that has a label. A language or a number may follow it.
        guard let label = parts.reversed().lazy.compactMap({ FieldLabel(rawValue: $0) }).first else {
            return side.map { (.content, $0) }
        }
        return (label, side)
    }
}
