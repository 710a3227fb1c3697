/// Where a text that is too long is cut.
package enum TextCut: Sendable {
    case beginning
    case middle
    case end
}

/// Text cut to `width` columns, with a mark where something is missing. Visible characters (grapheme clusters) are
/// never split.
package func shortened(_ text: String, _ width: Int, cut: TextCut = .end, mark: String = "…") -> String {
    guard width > 0 else { return "" }
    guard displayWidth(text) > width else { return text }
    let room = width - displayWidth(mark)
    guard room > 0 else { return fitting(text, width) }
    switch cut {
    case .end: return fitting(text, room) + mark
    case .beginning: return mark + lastFitting(text, room)
    case .middle:
        let last = lastFitting(text, room / 2)
        return fitting(text, room - displayWidth(last)) + mark + last
    }
}

/// Cuts the texts of one column so that different texts stay different if possible: in the middle, or where they
/// differ.
package func shortenedApart(_ texts: [String], _ width: Int, mark: String = "…") -> [String] {
    var cut = texts.map { shortened($0, width, cut: .middle, mark: mark) }
    var places: [String: [Int]] = [:]
    for (index, text) in cut.enumerated() { places[text, default: []].append(index) }
    for indexes in places.values where indexes.count > 1 {
        let alike = indexes.map { Array(texts[$0]) }
        guard let first = alike.first, alike.contains(where: { $0 != first }) else { continue }
        let shared = alike.reduce(first.count) { count, text in
            zip(first, text).prefix(count).prefix { $0 == $1 }.count
        }
        // A little of the common beginning, then the part where they begin to differ.
        let head = fitting(String(first), max(1, width / 4))
        for (index, text) in zip(indexes, alike) where shared > head.count {
            let rest = String(text[max(head.count, shared - 1)...])
            cut[index] = shortened(head + mark + rest, width, mark: mark)
        }
    }
    return cut
}

/// Pads text to a column of this display width: left-aligned if `width` is negative.
package func pad(_ text: String, _ width: Int) -> String {
    let missing = Int(width.magnitude) - displayWidth(text)
    guard missing > 0 else { return text }
    let blanks = String(repeating: " ", count: missing)
    return width < 0 ? text + blanks : blanks + text
}

/// Wraps text into lines of at most `width` columns. A longer word is broken.
package func wrapped(_ text: String, _ width: Int) -> [String] {
    let width = max(1, width)
    var lines: [String] = []
    var line: String?
    for word in text.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
        if let open = line, displayWidth(open) + 1 + displayWidth(word) <= width {
            line = open + " " + word
            continue
        }
        if let open = line { lines.append(open) }
        var rest = word
        while displayWidth(rest) > width {
            // A character that is wider than the line gets its own line.
            let part = fitting(rest, width)
            let taken = part.isEmpty ? String(rest.prefix(1)) : part
            lines.append(taken)
            rest.removeFirst(taken.count)
        }
        line = rest
    }
    if let line { lines.append(line) }
    let trimmed = lines.map(\.withoutTrailingBlanks)
    return trimmed.count == 1 ? trimmed : trimmed.filter { !$0.isEmpty }
}

/// A line that may contain styles, cut to `width` columns.
package func clipped(_ line: String, to width: Int) -> String {
    var result = String.UnicodeScalarView()
    var used = 0
    var (isStyle, hasStyle) = (false, false)
    for scalar in line.unicodeScalars {
        if isStyle {
            // ECMA-48: a control sequence begins with ESC `[` and ends with one of these characters.
            isStyle = scalar == "[" || !(0x40...0x7E).contains(scalar.value)
        } else if scalar == "\u{1B}" {
            (isStyle, hasStyle) = (true, true)
        } else {
            used += scalar.displayWidth
            guard used <= width else { return String(result) + (hasStyle ? "\u{1B}[0m" : "") }
        }
        result.append(scalar)
    }
    return String(result)
}

/// As much of the beginning as fits. A joiner at its end would join nothing, and is left out (see `printable`).
private func fitting(_ text: String, _ width: Int) -> String {
    var used = 0
    var beginning = text.prefix { character in
        used += displayWidth(String(character))
        return used <= width
    }.unicodeScalars
    while let last = beginning.last, Visibility(of: last) == .joiner { beginning.removeLast() }
    return String(beginning)
}

private func lastFitting(_ text: String, _ width: Int) -> String {
    var used = 0
    var count = 0
    for character in text.reversed() {
        used += displayWidth(String(character))
        guard used <= width else { break }
        count += 1
    }
    return String(text.suffix(count))
}

extension String {
    var withoutTrailingBlanks: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
