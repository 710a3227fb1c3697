extension Catalogue {
    /// The text for a number of things: `NAME.one`, `NAME.few` or `NAME.other`, as the language has it (Unicode CLDR,
    /// plural rules). `{0}` is the number, `{1}` the first of the arguments.
    package func plural(_ name: String, _ count: Int, _ arguments: String...) -> String {
        let form = "\(name).\(PluralForm(count, language: language).rawValue)"
        return text(has(form) ? form : "\(name).other", arguments: [String(count)] + arguments)
    }

    /// How many things a list leaves out, in words; none if it is whole.
    func notShown(_ count: Int) -> PageValue { count > 0 ? .text(plural("common.not_shown", count)) : .none }

    /// The same as the last option of a select, which cannot be chosen; nothing if the list is whole.
    func notShownOption(_ count: Int) -> [PageValue] {
        count > 0 ? [["value": "", "text": notShown(count), "chosen": false, "is_rest": true]] : []
    }
}

/// The forms that the languages of the pages have for whole numbers.
package enum PluralForm: String, Sendable, CaseIterable {
    case one, few, other

    package init(_ count: Int, language: String) {
        let (ones, tens) = (count % 10, count % 100)
        self =
            switch language {
            case "bs" where ones == 1 && tens != 11: .one
            case "bs" where (2...4).contains(ones) && !(12...14).contains(tens): .few
            case "cs" where (2...4).contains(count): .few
            case "en" where count == 1, "cs" where count == 1, "de" where count == 1: .one
            default: .other
            }
    }

    /// The forms that a catalogue must have.
    package static func forms(of language: String) -> Set<PluralForm> {
        language == "bs" || language == "cs" ? [.one, .few, .other] : [.one, .other]
    }
}
