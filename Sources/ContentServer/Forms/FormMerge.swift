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
        for (name, text) in mine.texts {
            let was = base[name] ?? ""
            let now = current[name] ?? ""
            if text == now || now == was { continue }
            if text == was {
                values[name] = now
            } else {
                others[name] = now
            }
        }
    }

    package var isClean: Bool { others.isEmpty }
}
