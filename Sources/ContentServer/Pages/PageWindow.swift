/// A part of a long list, with the addresses of the parts before and after it.
struct PageWindow {
    /// Ends with `?` or `&`: `PARAMETER=NUMBER` is added.
    var path: String
    var offset: Int
    var rows: Int
    var total: Int
    var parameter = "from"

    /// From the query; 0 for anything that is no number.
    static func offset(_ text: String?) -> Int {
        min(max(0, text.flatMap { Int($0) } ?? 0), 1_000_000)
    }

    /// For `{{>pager}}`; nothing if all fits.
    func value(_ texts: Catalogue) -> PageValue {
        guard total > rows || offset > 0 else { return .none }
        let end = min(total, offset + rows)
        func link(_ number: Int) -> PageValue { .text("\(path)\(parameter)=\(number)") }
        return [
            "previous": offset > 0 ? link(max(0, min(offset, total) - rows)) : .none,
            "next": end < total ? link(end) : .none,
            "words": .text(texts.text("common.page_of", "\(min(offset + 1, end))", "\(end)", "\(total)")),
        ]
    }
}
