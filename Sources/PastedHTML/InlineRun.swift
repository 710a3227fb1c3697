internal import Curation

/// The texts of one block while it is built, with white space as browsers show it.
struct InlineRun {
    private var inlines: [PageText.Inline] = []
    /// The marks of a blank that is written if more text follows; nil without one.
    private var blank: Set<PageText.Mark>?

    /// Whether nothing is to be seen.
    var isBlank: Bool {
        inlines.allSatisfy { inline in
            switch inline {
            case .text(let text, _): text.allSatisfy(\.isWhitespace)
            case .lineBreak: true
            }
        }
    }

    var endsWithBreak: Bool { inlines.last == .lineBreak }

    mutating func addBreak() {
        blank = nil
        inlines.append(.lineBreak)
    }

    /// Blanks, tabs and line ends after each other are one blank; at the beginning of a line they are none.
    mutating func add(_ text: String, marks: Set<PageText.Mark>) {
        var words = ""
        for scalar in text.unicodeScalars {
            if scalar == " " || scalar == "\n" || scalar == "\t" {
                if words.isEmpty, inlines.isEmpty || endsWithBreak { continue }
                // Of blanks that are one, the one with the fewest marks counts: words are marked, not what is between.
                blank = blank?.intersection(marks) ?? marks
            } else {
                if let between = blank {
                    if !words.isEmpty || !extend(" ", between) && between == marks {
                        words += " "
                    } else if !endsWithBlank {
                        inlines.append(.text(" ", marks: between))
                    }
                    blank = nil
                }
                words.unicodeScalars.append(scalar)
            }
        }
        guard !words.isEmpty, !extend(words, marks) else { return }
        inlines.append(.text(words, marks: marks))
    }

    private var endsWithBlank: Bool {
        guard case .text(let text, _)? = inlines.last else { return false }
        return text.last == " "
    }

    /// The texts, and an empty run. Nothing if nothing is to be seen.
    mutating func ended() -> [PageText.Inline] {
        defer { self = InlineRun() }
        guard !isBlank else { return [] }
        while endsWithBreak { inlines.removeLast() }
        return inlines
    }

    /// False if the last text has other marks.
    private mutating func extend(_ words: String, _ marks: Set<PageText.Mark>) -> Bool {
        guard case .text(var text, let former)? = inlines.last, former == marks else { return false }
        // Taken out, so that it grows where it is: copied for each of many short texts it would take seconds.
        inlines.removeLast()
        text += words
        inlines.append(.text(text, marks: marks))
        return true
    }
}
