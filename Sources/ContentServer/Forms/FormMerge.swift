/// Two editors changed one document: what each of them typed, field by field.
///
/// A field that only one of them changed takes that one's value, so that nobody's work is lost and nobody is asked
/// without need.
package struct FormMerge: Hashable, Sendable {
    /// What the form holds now.
    package var values: FormValues
    /// Fields that both changed differently: what the other editor wrote. The form keeps the own text.
    package var others: [String: String] = [:]

    /// - Parameters:
    ///   - mine: what was sent.
    ///   - base: what the form showed at first.
    ///   - current: what it would show now.
    package init(mine: FormValues, base: FormValues, current: FormValues) {
        values = mine
        let together = Set(Self.groups.joined())
        let alone = mine.texts.keys.filter { !together.contains($0) && !Self.isInRow($0) }
        for fields in Self.groups + alone.map({ [$0] }) { merge(fields, mine, base, current) }
        mergeRows(mine, base, current)
    }

    /// Fields that say one thing together: half of it from one editor and half from the other is what neither of them
    /// wanted.
    private static let groups = [
        ["picture.media", "picture.alt", "picture.decorative"], ["plan", "place.x", "place.y"],
        ["uuid", "major", "minor"], ["focal_point.x", "focal_point.y"],
    ]

    private mutating func merge(_ fields: [String], _ mine: FormValues, _ base: FormValues, _ current: FormValues) {
        func text(_ name: String, _ values: FormValues) -> String { values[name] ?? "" }
        let different = fields.filter { mine[$0] != nil && text($0, mine) != text($0, current) }
        let isMine = different.contains { text($0, mine) != text($0, base) }
        for name in different where text(name, current) != text(name, base) {
            if isMine { others[name] = text(name, current) } else { values[name] = text(name, current) }
        }
    }

    /// Rows of pictures belong together: where two editors moved or removed some, no field says which one it was.
    private mutating func mergeRows(_ mine: FormValues, _ base: FormValues, _ current: FormValues) {
        let (typed, was, now) = (Self.rows(mine), Self.rows(base), Self.rows(current))
        guard mine[Self.list] != nil, typed != now, now != was else { return }
        guard typed == was else {
            others[Self.list] = "\(now.count)"
            return
        }
        for (name, _) in mine.texts where Self.isInRow(name) { values[name] = nil }
        for (name, text) in current.texts where Self.isInRow(name) { values[name] = text }
    }

    private static let list = "pictures"

    private static func isInRow(_ name: String) -> Bool { name.hasPrefix(list + ".") }

    /// What is said in each row, whatever its number is.
    private static func rows(_ values: FormValues) -> [[String]] {
        values.rows(list, limit: ContentForm.mostPictures).map { row in
            [
                values["\(list).\(row).media"] ?? "", values["\(list).\(row).alt"] ?? "",
                values.isChecked("\(list).\(row).decorative") == true ? "decorative" : "",
            ]
        }
    }

    package var isClean: Bool { others.isEmpty }
}
