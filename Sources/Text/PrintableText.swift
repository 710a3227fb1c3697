/// Makes text from radio, network or a file safe to show on a terminal, in a log, in the journal and in a status line.
/// The result is one line, and nothing in it can move, hide or reverse other text.
///
/// Line ends and tabs become blanks. Other control characters, bidirectional controls, zero-width characters and
/// everything else that is invisible become U+FFFD, one for each run of them. The characters that languages and emoji
/// need are kept: letters of any script, joiners between letters that join and between emoji, variation selectors, and
/// up to eight marks on a letter.
package func printable(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    var previous: Unicode.Scalar?
    var marks = 0
    /// Whether what follows can be joined is known only when it is shown: it may be hidden or left out itself.
    var joiner: Unicode.Scalar?
    while let scalar = rest.popFirst() {
        var shown: Unicode.Scalar? = scalar
        switch Visibility(of: scalar) {
        case .plain: marks = 0
        case .blank: shown = scalar == "\r" && rest.first == "\n" ? nil : " "
        case .mark:
            marks += 1
            shown = previous == nil ? replacement : marks > mostMarks ? nil : scalar
        case .joiner:
            if joiner == nil, joins(previous) {
                joiner = scalar
                continue
            }
            shown = replacement
        case .selector: shown = previous.map { $0 == replacement || $0 == " " } ?? true ? replacement : scalar
        case .hidden: shown = replacement
        }
        guard let shown else { continue }
        if let waiting = joiner {
            let kept = joins(shown) ? waiting : replacement
            result.append(kept)
            (previous, joiner) = (kept, nil)
        }
        guard shown != replacement || previous != replacement else { continue }
        result.append(shown)
        previous = shown
    }
    if joiner != nil { result.append(replacement) }
    return String(result)
}

/// Like `printable`, but keeps line ends, as line feeds: each line is treated separately.
package func printableLines(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 != 0x0A && ($0 < 0x20 || $0 > 0x7E) }) else { return text }
    return textLines(text).map { printable(String($0)) }.joined(separator: "\n")
}

private let replacement: Unicode.Scalar = "\u{FFFD}"
private let mostMarks = 8

/// The effect of a character on the text around it.
enum Visibility {
    case plain
    /// A line end or a tab.
    case blank
    /// It is drawn on the letter before it.
    case mark
    /// U+200C and U+200D, which some scripts and emoji need.
    case joiner
    /// It selects a variant of the character before it.
    case selector
    /// It is invisible, or it moves visible text.
    case hidden

    init(of scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20...0x7E: self = .plain
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: self = .blank
        case 0x200C, 0x200D: self = .joiner
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .selector
        // Signs of the Arabic, Syriac and Kaithi scripts that are written before numbers: visible format characters.
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: self = .plain
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: self = .hidden
            case .nonspacingMark, .enclosingMark:
                self = scalar.properties.isDefaultIgnorableCodePoint ? .hidden : .mark
            default: self = scalar.properties.isDefaultIgnorableCodePoint || !scalar.isXMLCharacter ? .hidden : .plain
            }
        }
    }
}

/// Letters of scripts that join, and emoji. Beside any other character a joiner only hides.
private func joins(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar, scalar.value >= 0x600, scalar != replacement else { return false }
    switch scalar.properties.generalCategory {
    case .otherLetter, .nonspacingMark, .spacingMark, .otherSymbol, .modifierSymbol: return true
    default: return (0xFE00...0xFE0F).contains(scalar.value)
    }
}
