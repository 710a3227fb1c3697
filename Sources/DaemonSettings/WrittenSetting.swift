import Settings
import YAMLText

/// Where a value was written.
enum SettingPlace: Hashable, Sendable {
    case file(Mark)
    case variable(String)
    case option(String)
}

/// A setting as somebody wrote it.
struct WrittenSetting: Sendable {
    struct Entry: Hashable, Sendable {
        var text: String
        var place: SettingPlace
    }

    /// One for a single value, any number for a list.
    var entries: [Entry]
    /// Where it stands as a whole.
    var place: SettingPlace

    init(_ entries: [Entry], at place: SettingPlace) {
        self.entries = entries
        self.place = place
    }

    /// One that is an option's or a variable's: all its entries stand in the same place.
    init(_ texts: [String], at place: SettingPlace) {
        self.init(texts.map { Entry(text: $0, place: place) }, at: place)
    }

    /// A variable's; lists are written with commas.
    init(_ text: String, of key: ConfigurationKey) {
        let texts = key.kind == .texts ? text.split(separator: ",").map { String($0).trimmed } : [text]
        self.init(texts, at: .variable(key.variable))
    }
}

extension String {
    /// Without blanks at its ends.
    var trimmed: String {
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex
        return String(self[..<end].drop(while: \.isWhitespace))
    }
}
