import ArgumentParser
import Text

/// Improves the parser's message for a mistake: adds what was probably meant, and the range of a number.
struct UsageMistake {
    /// The parser's text: `Error: …`, perhaps `Help: …`, and the usage.
    private var lines: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The improved text.
    ///
    /// - Parameters:
    ///   - words: the arguments that the user wrote.
    ///   - besides: further commands that the parser does not know.
    func text(_ root: any ParsableCommand.Type, words: [String], besides: [String]) -> String {
        var lines = lines
        if let better = unknownCommand(root, words, besides) ?? unknownValue ?? outOfRange { lines[0] = better }
        return lines.joined(separator: "\n")
    }

    // MARK: - Commands

    private func unknownCommand(
        _ root: any ParsableCommand.Type, _ words: [String], _ besides: [String]
    ) -> String? {
        // After an unknown command the parser reports its options as unknown.
        let isUnexpected = lines[0].contains("nexpected argument")
        guard isUnexpected || lines[0].contains("Unknown option") else { return nil }
        var path = [root._commandName]
        var command = root
        for word in words where !word.hasPrefix("-") {
            let below = command.configuration.subcommands
            if let next = below.first(where: { $0._commandName == word }) {
                command = next
                path.append(word)
                continue
            }
            let names = below.map { $0._commandName } + (command == root ? besides : [])
            // A command without subcommands was given an extra argument.
            guard !names.isEmpty, !below.isEmpty || (isUnexpected && lines[0].contains("'\(word)'")) else { return nil }
            let suggestion = Suggestion.nearest(to: word, among: names).map { ". Did you mean '\($0)'?" }
            return "Error: '\(printable(word))' is no command of \(path.joined(separator: " "))"
                + (suggestion ?? "; there are \(names.joined(separator: ", ")).")
        }
        return nil
    }

    // MARK: - Values

    /// The refused value, and the text after it.
    private var refusedValue: (value: String, rest: Substring)? {
        let opening = "Error: The value '"
        guard lines[0].hasPrefix(opening) else { return nil }
        let parts = lines[0].dropFirst(opening.count).split(separator: "' is invalid for ", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), parts[1]) : nil
    }

    private var unknownValue: String? {
        let closing = ". Please provide one of "
        guard let (value, rest) = refusedValue else { return nil }
        let parts = rest.split(separator: closing, maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let bullet = "  - "
        let listed = lines.filter { $0.hasPrefix(bullet) }.map { String($0.dropFirst(bullet.count)) }
        let inLine = parts[1].split(separator: "'").enumerated().filter { $0.offset % 2 == 0 }.map {
            String($0.element)
        }
        guard let meant = Suggestion.nearest(to: value, among: listed.isEmpty ? inLine : listed) else { return nil }
        return "Error: The value '\(value)' is invalid for \(parts[0]). Did you mean '\(meant)'?"
            + " Please provide one of \(parts[1])"
    }

    /// The help states the range of a number as `0 to 65535`.
    private var outOfRange: String? {
        guard let (value, rest) = refusedValue, Double(value) != nil, !rest.contains(". Please"),
            let help = lines.first(where: { $0.hasPrefix("Help:") })
        else { return nil }
        let words = help.split { " (),.".contains($0) }
        for index in words.indices.dropFirst().dropLast() where words[index] == "to" {
            guard let low = Int(words[index - 1]), let high = Int(words[index + 1]) else { continue }
            return "Error: The value '\(value)' is out of range for \(rest): \(low) to \(high)"
        }
        return nil
    }
}
