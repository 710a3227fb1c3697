/// Prepares a command's words for the parser.
package enum CommandWords {
    /// Joins a long option and the negative number after it: `--measured-power -59` becomes `--measured-power=-59`. The
    /// parser takes every word with a dash for an option. No option here starts with a digit.
    package static func joiningNegativeNumbers(_ words: [String]) -> [String] {
        var joined: [String] = []
        var takesValue = false
        for (index, word) in words.enumerated() {
            if word == "--" { return joined + words[index...] }
            if takesValue, isNegativeNumber(word), let option = joined.popLast() {
                joined.append("\(option)=\(word)")
                takesValue = false
            } else {
                joined.append(word)
                takesValue = word.hasPrefix("--") && !word.contains("=")
            }
        }
        return joined
    }

    private static func isNegativeNumber(_ word: String) -> Bool {
        var rest = word.utf8[...]
        guard rest.popFirst() == UInt8(ascii: "-") else { return false }
        if rest.first == UInt8(ascii: ".") { rest.removeFirst() }
        return rest.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}
