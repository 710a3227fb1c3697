import Curation

/// A form as its template shows it: `f.NAME` for each field, with label, value, hint, mistake, and the text in the
/// default language.
///
/// Labels are in the catalogue under `edit.FORM.FIELD`, hints under `edit.FORM.FIELD_hint`. In names `_` stands for
/// `.`.
package struct FormView {
    let name: String
    let texts: Catalogue
    var values: FormValues
    /// By field.
    var mistakes: [String: String] = [:]
    /// What another editor has saved in the same field meanwhile.
    var others: [String: String] = [:]
    /// What is to be known of the whole form; nil for nothing.
    var notice: String?
    /// The texts in the default language; nil if that is the form's own one.
    private var reference: FormValues?
    /// Options of selects, by field.
    var options: [String: [PageValue]] = [:]
    /// Which files a field takes.
    var media: [String: MediaChoices.Kind] = [:]
    let language: Language

    init(_ name: String, _ values: FormValues, _ editing: Editing) {
        self.name = name
        self.values = values
        texts = editing.texts
        language = editing.language
    }

    /// Shows the texts of the default language beside their fields. What is the same in both, such as a number, is left
    /// out.
    ///
    /// - Parameter own: the same document in the form's language.
    mutating func refer(to defaults: FormValues, own: FormValues) {
        reference = FormValues(defaults.texts.filter { own[$0.key] != $0.value })
    }

    /// - Parameter prefix: what the mistakes' fields have before the names of this form: `contents.left.`.
    mutating func show(_ found: [FieldMistake], prefix: String = "") {
        for mistake in found {
            var field = mistake.field
            if field.hasPrefix(prefix) { field.removeFirst(prefix.count) }
            // Beside the field that people see: `action.kind`, `place.x`, `picture.media`.
            if field.contains(".parameters") { field = field.replacing(".parameters", with: "") }
            if values[field] == nil,
                let part = ["kind", "x", "media"].first(where: { values["\(field).\($0)"] != nil })
            {
                field += ".\(part)"
            }
            // What is within a field is said beside it: name.de, body.de.alt.
            var outer = field
            while values[outer] == nil, let dot = outer.lastIndex(of: ".") { outer = String(outer[..<dot]) }
            if values[outer] != nil { field = outer }
            if mistakes[field] == nil { mistakes[field] = texts.text(mistake.problem) }
        }
    }

    /// Options with a value and a text; the chosen one is marked.
    ///
    /// - Parameter unlisted: how many more there are.
    mutating func choose(_ field: String, _ choices: [(value: String, text: String)], unlisted: Int = 0) {
        let listed = choices.map { choice -> PageValue in
            [
                "value": .text(choice.value), "text": .text(choice.text),
                "chosen": .flag(choice.value == (values[field] ?? "")),
            ]
        }
        options[field] = listed + texts.notShownOption(unlisted)
    }

    /// Every field of the form, and the mistakes that belong to no field.
    var page: [String: PageValue] {
        var fields: [String: PageValue] = [:]
        for name in Set(values.texts.keys).union(options.keys) {
            fields[Self.key(name)] = field(name, named: Self.key(name))
        }
        let shown = mistakes.sorted { $0.key < $1.key }
        return [
            "f": .map(fields),
            "mistakes": .list(
                shown.map { field, message in
                    ["field": .text("f-" + Self.key(field)), "message": .text(message), "label": .text(label(field))]
                }),
            "has_mistakes": .flag(!shown.isEmpty), "has_others": .flag(!others.isEmpty),
            "notice": PageValue(notice),
        ]
    }

    /// - Parameter key: under which label and hint stand in the catalogue.
    func field(_ name: String, named key: String) -> PageValue {
        let value = values[name] ?? ""
        let id = "f-" + Self.key(name)
        let hint = "edit.\(self.name).\(key)_hint"
        var described: [String] = []
        var field: [String: PageValue] = [
            "name": .text(name), "id": .text(id), "value": .text(value), "label": .text(label(key)),
            "checked": .flag(!value.isEmpty && value != "false"), "lang": .text(language.tag),
            // Named, so that a template never takes those of what is around the field.
            "hint": .none, "reference": .none, "error": .none, "other": .none,
            "mode": PageValue(Self.modes[key]),
            "needed": .flag(isNeeded(name)),
            "kind": PageValue(media[name]?.rawValue), "accepted": PageValue(media[name]?.accepted),
        ]
        if texts.has(hint) {
            field["hint"] = .text(texts.text(hint))
            described.append(id + "-hint")
        }
        // Where something is chosen, the value is no text for people.
        if options[name] == nil, let text = reference?[name], !text.isEmpty {
            field["reference"] = .text(text)
            described.append(id + "-reference")
        }
        if let message = mistakes[name] {
            field["error"] = .text(message)
            described.append(id + "-error")
        }
        if let other = others[name] {
            field["other"] = .text(other.isEmpty ? "–" : other)
            described.append(id + "-other")
        }
        if let options = options[name] { field["options"] = .list(options) }
        field["described"] = .text(described.joined(separator: " "))
        return .map(field)
    }

    /// By form: the fields without which its document is not published, as `DocumentCheck` finds them.
    private static let needed: [String: Set<String>] = [
        "beacon": ["name", "uuid", "major", "minor"], "image": ["title", "picture.media", "width_cm"],
        "content": ["more", "video_url", "coordinates", "action.value"],
    ]

    private func isNeeded(_ field: String) -> Bool {
        guard Self.needed[name]?.contains(field) == true else { return false }
        // A text in one language suffices, and a video has an address or a file.
        if reference?[field]?.isEmpty == false { return false }
        return field != "video_url" || values["video"]?.isEmpty ?? true
    }

    /// The keyboards that phones show for fields with numbers. That of coordinates needs a comma and a sign.
    private static let modes = [
        "major": "numeric", "minor": "numeric", "width_cm": "decimal", "width_m": "decimal", "place_x": "decimal",
        "place_y": "decimal", "focal_point_x": "decimal", "focal_point_y": "decimal",
    ]

    private func label(_ field: String) -> String {
        let key = "edit.\(name).\(Self.key(field))"
        return texts.has(key) ? texts.text(key) : ""
    }

    static func key(_ name: String) -> String { name.replacing(".", with: "_") }
}
