import Beacon
import Curation

/// Reads the values of fields into a document, and notes what cannot be read beside the field.
struct FieldReader {
    let values: FormValues
    /// The language that localized texts are written in.
    let language: Language
    /// What stands before a field's name in the mistakes.
    var place = ""
    private(set) var mistakes: [FieldMistake] = []

    init(_ values: FormValues, in language: Language) {
        self.values = values
        self.language = language
    }

    mutating func refuse(_ field: String, _ problem: Problem) {
        mistakes.append(FieldMistake(place + field, problem))
    }

    /// Reads a field, if the form has it.
    mutating func read<Value>(_ field: String, into value: inout Value, _ body: (String) throws(Problem) -> Value) {
        guard let text = values[field] else { return }
        do throws(Problem) {
            value = try body(text)
        } catch {
            refuse(field, error)
        }
    }

    func text(_ field: String, into text: inout String) {
        if let value = values.trimmed(field) { text = value }
    }

    func text(_ field: String, into text: inout LocalizedText) {
        if let value = values.trimmed(field) { text[language] = value.isEmpty ? nil : value }
    }

    func optional(_ field: String, into text: inout String?) {
        if let value = values.trimmed(field) { text = value.isEmpty ? nil : value }
    }

    func check(_ field: String, into value: inout Bool) {
        if let isChecked = values.isChecked(field) { value = isChecked }
    }

    /// Words between commas.
    func words(_ field: String, into words: inout [String]) {
        guard let value = values.trimmed(field) else { return }
        var seen = Set<String>()
        words = value.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isNewline })
            .map { String($0).trimmed }.filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
    }

    mutating func document(_ field: String, into id: inout DocumentID?) {
        read(field, into: &id) { text throws(Problem) in
            let text = text.trimmed
            guard !text.isEmpty else { return nil }
            guard let id = DocumentID(text) else { throw Problem(.notAChoice, text) }
            return id
        }
    }

    mutating func document(_ field: String, into ids: inout Localized<DocumentID>) {
        var id = ids[language]
        document(field, into: &id)
        ids[language] = id
    }

    mutating func number(_ field: String, into number: inout Double?) {
        read(field, into: &number) { text throws(Problem) in try FieldText.decimal(text) }
    }

    mutating func whole(_ field: String, into number: inout UInt16?) {
        read(field, into: &number) { text throws(Problem) in try FieldText.number(text) }
    }

    mutating func coordinates(_ field: String, into coordinates: inout Coordinates?) {
        read(field, into: &coordinates) { text throws(Problem) in try FieldText.coordinates(text) }
    }

    mutating func moment(_ field: String, into moment: inout Moment?) {
        read(field, into: &moment) { text throws(Problem) in try FieldText.moment(text) }
    }

    mutating func choice<Choice: RawRepresentable<String>>(_ field: String, into choice: inout Choice) {
        read(field, into: &choice) { text throws(Problem) in try FieldText.choice(text) }
    }

    /// A place on a picture: two fields in percent of its width and height.
    mutating func place(_ field: String, into point: inout PlanPoint?) {
        guard values[field + ".x"] != nil || values[field + ".y"] != nil else { return }
        var x = point.map { $0.x * 100 }
        var y = point.map { $0.y * 100 }
        number(field + ".x", into: &x)
        number(field + ".y", into: &y)
        guard let x, let y else {
            let empty = field + (x == nil ? ".x" : ".y")
            let isHalf = x != nil || y != nil
            // Half a place is a slip: without a word, what was typed would be lost.
            if isHalf, !mistakes.contains(where: { $0.field == place + empty }) { refuse(empty, Problem(.missing)) }
            point = nil
            return
        }
        guard (0...100).contains(x), (0...100).contains(y) else {
            return refuse(field + ((0...100).contains(x) ? ".y" : ".x"), Problem(.outOfRange, "0", "100"))
        }
        point = PlanPoint(x: x / 100, y: y / 100)
    }
}
