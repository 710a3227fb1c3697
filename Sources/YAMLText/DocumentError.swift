import Text

/// Why a YAML document cannot be used. The description has a line for each of the first problems, in the usual form of
/// editors: `FILE:LINE:COLUMN: what is wrong and what is allowed`.
package struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Issue: Hashable, Sendable {
        /// Counted from 1; nil if the problem concerns the whole file.
        package var line: Int?
        /// Counted from 1, in characters.
        package var column: Int?
        package var message: String

        /// A problem at a place, or with the whole file. What the message quotes may be long.
        package init(line: Int? = nil, column: Int? = nil, _ message: String) {
            self.line = line
            self.column = column
            self.message = excerpt(message, 2000)
        }
    }

    /// The path of the document, or a name in place of a path.
    package var file: String
    /// Every problem, in the order of the file; at least one.
    package var issues: [Issue]

    /// - Parameter issues: at least one.
    package init(file: String, issues: [Issue]) {
        self.file = file
        self.issues = issues
    }

    /// How many problems are shown: often one mistake causes many.
    private static let told = 5

    /// A line for each problem, in the order of the document.
    package var lines: [String] {
        issues.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }.map { issue in
            let place = [issue.line, issue.column].compactMap { $0 }.map { ":\($0)" }.joined()
            return "\(file)\(place): \(issue.message)"
        }
    }

    /// The lines of the first five problems, and how many more there are.
    package var description: String {
        let rest = issues.count - Self.told
        return (lines.prefix(Self.told) + (rest > 0 ? ["\(file): \(rest) more"] : [])).joined(separator: "\n")
    }
}
