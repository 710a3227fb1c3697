/// A part of a long list, with the addresses of the parts before and after it.
struct PageWindow {
    /// Ends with `?` or `&`: `from=NUMBER` is added.
    var path: String
    var offset: Int
    var rows: Int
    var total: Int

    /// From the query; 0 for anything that is no number.
    static func offset(_ text: String?) -> Int {
        min(max(0, text.flatMap { Int($0) } ?? 0), 1_000_000)
    }

    /// For `{{>pager}}`; nothing if all fits.
    func value(_ texts: Catalogue) -> PageValue {
        guard total > rows || offset > 0 else { return .none }
        let end = min(total, offset + rows)
        return [
            "previous": offset > 0 ? .text("\(path)from=\(max(0, offset - rows))") : .none,
            "next": end < total ? .text("\(path)from=\(end)") : .none,
            "words": .text(texts.text("common.page_of", "\(min(offset + 1, end))", "\(end)", "\(total)")),
        ]
    }
}
