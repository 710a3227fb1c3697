import ArgumentParser
import Glibc
import Text

/// Prepares a command's words for the parser.
package enum CommandWords {
    /// The process's arguments as the system has passed them, without the program's name.
    static var own: [[UInt8]] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { CommandLine.unsafeArgv[$0] }.map { word in
            Array(UnsafeRawBufferPointer(start: word, count: Int(strlen(word))))
        }
    }

    /// Says that an argument is not UTF-8; nil if all are. Swift replaces what is not, and then a file with another
    /// name would be looked for.
    package static func problem(of arguments: [[UInt8]]) -> String? {
        for (index, octets) in arguments.enumerated() where String(validating: octets, as: UTF8.self) == nil {
            let shown = excerpt(String(decoding: octets, as: UTF8.self))
            return "argument \(index + 1) is not UTF-8: \"\(shown)\"; rename the file, or name a link to it"
        }
        return nil
    }

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

    /// What follows `help` where that names a command that does not exist; nil otherwise. The parser would show the
    /// help of what is above it, as if all were well.
    static func unknownHelp(
        _ words: [String], of root: any ParsableCommand.Type, besides: [String]
    ) -> [String]? {
        guard words.first == "help", !root.configuration.subcommands.isEmpty else { return nil }
        var below = root.configuration.subcommands
        var others = besides + ["help"]
        for word in words.dropFirst() where !word.hasPrefix("-") {
            // A command without others below it has arguments of its own.
            guard !below.isEmpty, !others.contains(word) else { return nil }
            guard let next = below.first(where: { $0._commandName == word }) else { return Array(words.dropFirst()) }
            below = next.configuration.subcommands
            others = ["help"]
        }
        return nil
    }

    private static func isNegativeNumber(_ word: String) -> Bool {
        var rest = word.utf8[...]
        guard rest.popFirst() == UInt8(ascii: "-") else { return false }
        if rest.first == UInt8(ascii: ".") { rest.removeFirst() }
        return rest.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}
