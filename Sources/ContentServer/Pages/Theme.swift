/// The look of the pages.
enum Theme {
    /// What can be chosen; the empty one is what the browser prefers.
    static let all = ["", "light", "dark"]

    static func checked(_ name: String?) -> String { all.first { $0 == name } ?? "" }
}
