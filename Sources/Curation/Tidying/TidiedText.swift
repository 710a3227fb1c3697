extension String {
    /// The text for numbers and addresses, which are often copied from web pages with invisible characters: trimmed,
    /// without the characters of Unicode's category Cf (zero-width spaces, direction marks, soft hyphens), and with
    /// blanks in place of control characters.
    package var tidiedValue: String {
        var kept = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .format: continue
            // Line ends and tabs separate words, so they become blanks. Other control characters are never typed.
            case .control: kept.append(" ")
            default: kept.append(scalar)
            }
        }
        return String(kept).trimmed
    }

    /// One line of text for people: trimmed, line ends and tabs become blanks, and other control characters are
    /// removed. Joiners and direction marks are kept, because some scripts need them.
    package var tidiedLine: String {
        tidied { $0 == "\n" || $0 == "\r" || $0 == "\t" ? " " : nil }
    }

    /// The same, but with its line ends, which become line feeds.
    package var tidiedLines: String {
        replacingLineEnds.tidied { $0 == "\n" || $0 == "\t" ? $0 : nil }
    }

    /// The text without white space at both ends.
    package var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    private func tidied(_ control: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory != .control {
                kept.append(scalar)
            } else if let shown = control(scalar) {
                kept.append(shown)
            }
        }
        return String(kept).trimmed
    }

    /// The text with a line feed at the end of each line.
    package var replacingLineEnds: String {
        guard utf8.contains(13) else { return self }
        var kept = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in unicodeScalars {
            if scalar == "\r" {
                kept.append("\n")
            } else if scalar != "\n" || previous != "\r" {
                kept.append(scalar)
            }
            previous = scalar
        }
        return String(kept)
    }
}

extension Localized where Value == String {
    /// Every text tidied, without the empty ones.
    func mapped(_ tidy: (String) -> String) -> Self {
        Localized(values.mapValues(tidy).filter { !$0.value.isEmpty })
    }
}
