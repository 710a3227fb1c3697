/// What is wrong with the fields of a form, in the reader's language.
///
/// Templates have it as `mistakes` (the summary, `{{>error_summary}}`) and as `error.FIELD` beside the field.
struct PageMistakes {
    private var list: [(field: String, message: String)] = []

    var isEmpty: Bool { list.isEmpty }

    /// - Parameter field: the name and the `id` of the field. Only its first mistake is shown.
    mutating func add(_ field: String, _ message: String) {
        guard !list.contains(where: { $0.field == field }) else { return }
        list.append((field, message))
    }

    /// These values with those of the mistakes.
    func added(to values: [String: PageValue]) -> [String: PageValue] {
        guard !isEmpty else { return values }
        var values = values
        values["error"] = .map(Dictionary(list.map { ($0.field, .text($0.message)) }) { first, _ in first })
        values["mistakes"] = .map([
            "all": .list(list.map { ["field": .text($0.field), "message": .text($0.message)] })
        ])
        return values
    }
}
