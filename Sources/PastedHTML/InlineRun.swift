internal import Curation

/// The texts of one block while it is built, with white space as browsers show it.
struct InlineRun {
    private var inlines: [PageText.Inline] = []
    /// The marks of a blank that is written if more text follows; nil without one.
    private var blank: Set<PageText.Mark>?

    /// Whether nothing is visible.
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

    /// Adds text. Several blanks, tabs and line ends in a row become one blank; at the start of a line they are
    /// removed.
    mutating func add(_ text: String, marks: Set<PageText.Mark>) {
        var words = ""
        for scalar in text.unicodeScalars {
            if scalar == " " || scalar == "\n" || scalar == "\t" {
                if words.isEmpty, inlines.isEmpty || endsWithBreak { continue }
                // When blanks are merged, the marks that all of them have are kept: marks belong to words, not to the
                // space between.
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

    /// Returns the texts and empties the run. The result is empty if nothing is visible.
    mutating func ended() -> [PageText.Inline] {
        defer { self = InlineRun() }
        guard !isBlank else { return [] }
        while endsWithBreak { inlines.removeLast() }
        return inlines
    }

    /// Extends the last text. Returns false if it has other marks.
    private mutating func extend(_ words: String, _ marks: Set<PageText.Mark>) -> Bool {
        guard case .text(var text, let former)? = inlines.last, former == marks else { return false }
        // Removed first, so that it is extended in place. Copying it for each of many short texts would take seconds.
        inlines.removeLast()
        text += words
        inlines.append(.text(text, marks: marks))
        return true
    }
}
