import Curation
import Text

/// Writes a document's values into fields, as `FieldReader` reads them.
struct FieldWriter {
    private(set) var values = FormValues()
    let language: Language

    init(in language: Language) {
        self.language = language
    }

    mutating func text(_ field: String, _ text: String?) { values[field] = text ?? "" }
    mutating func text(_ field: String, _ text: LocalizedText) { values[field] = text[language] ?? "" }
    mutating func check(_ field: String, _ isChecked: Bool) { values.check(field, isChecked) }
    mutating func words(_ field: String, _ words: [String]) { values[field] = words.joined(separator: ", ") }
    mutating func document(_ field: String, _ id: DocumentID?) { values[field] = id?.text ?? "" }
    mutating func document(_ field: String, _ ids: Localized<DocumentID>) { document(field, ids[language]) }
    mutating func number(_ field: String, _ number: Double?) { values[field] = number.map(FieldText.text) ?? "" }
    mutating func whole(_ field: String, _ number: UInt16?) { values[field] = number.map { "\($0)" } ?? "" }
    mutating func moment(_ field: String, _ moment: Moment?) { values[field] = moment?.description ?? "" }

    mutating func coordinates(_ field: String, _ coordinates: Coordinates?) {
        values[field] = coordinates.map { CoordinateText.text($0).replacing(",", with: ", ") } ?? ""
    }

    mutating func place(_ field: String, _ point: PlanPoint?) {
        // A tenth of a percent is finer than a finger.
        number(field + ".x", point.map { ($0.x * 1000).rounded() / 10 })
        number(field + ".y", point.map { ($0.y * 1000).rounded() / 10 })
    }
}
