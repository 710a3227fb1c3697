import Curation

/// What the fields of a form hold, as it was typed: a text by the field's name. A field that the form does not have has
/// no entry, and its value is then left as it was.
package struct FormValues: Hashable, Sendable {
    package private(set) var texts: [String: String]

    package init(_ texts: [String: String] = [:]) {
        self.texts = texts
    }

    package subscript(name: String) -> String? {
        get { texts[name] }
        set { texts[name] = newValue }
    }

    /// Without the white space around it; nil where the form has no such field.
    package func trimmed(_ name: String) -> String? {
        texts[name].map { $0.trimmed }
    }

    package func isChecked(_ name: String) -> Bool? {
        texts[name].map { !$0.isEmpty && $0 != "false" }
    }

    package mutating func check(_ name: String, _ isChecked: Bool) {
        texts[name] = isChecked ? "true" : ""
    }

    /// Higher numbers of rows are ignored: a row can always be added behind the last one.
    private static let rowNumbers = 0..<1_000_000

    /// The numbers `n` of fields `name.n.…`, ascending: rows of a list. At most `limit`.
    package func rows(_ name: String, limit: Int) -> [Int] {
        var numbers = Set<Int>()
        let prefix = name + "."
        for key in texts.keys where key.hasPrefix(prefix) {
            if let part = key.dropFirst(prefix.count).split(separator: ".").first, let number = Int(part),
                Self.rowNumbers.contains(number)
            {
                numbers.insert(number)
            }
        }
        return Array(numbers.sorted().prefix(limit))
    }
}
