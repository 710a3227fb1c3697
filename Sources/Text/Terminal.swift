import Glibc

/// What standard output or standard error is and can do.
package struct Terminal: Sendable {
    package var isTerminal: Bool
    /// Columns and rows; 80 × 24 where unknown.
    package var columns: Int
    package var rows: Int
    /// The longest line that does not wrap, in columns; nil if lines may have any length, as in a pipe.
    package var limit: Int?
    package var hasColour: Bool
    /// The locale's encoding is UTF-8, so that block characters can be drawn.
    package var hasBlocks: Bool

    package init(isTerminal: Bool, columns: Int = 80, rows: Int = 24, hasColour: Bool = false, hasBlocks: Bool = true) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.rows = rows
        self.hasColour = hasColour
        self.hasBlocks = hasBlocks
        // The last column stays free: a terminal may treat a full line as one that continues.
        limit = isTerminal ? max(1, columns - 1) : nil
    }

    /// Standard output.
    package static var current: Terminal { of(1) }

    /// Standard error, for progress and questions.
    package static var standardError: Terminal { of(2) }

    /// Standard input is a terminal, so a user can be asked.
    package static var hasReader: Bool { isatty(0) == 1 }

    /// Examines a descriptor and the environment (NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG).
    private static func of(_ descriptor: Int32) -> Terminal {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let isTerminal = isatty(descriptor) == 1 && variable("TERM") != "dumb"
        let size = size(of: descriptor)
        let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? ""
        var terminal = Terminal(
            isTerminal: isTerminal, columns: size?.columns ?? 80, rows: size?.rows ?? 24,
            hasColour: isTerminal && variable("NO_COLOR") == nil,
            hasBlocks: locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8"))
        terminal.descriptor = descriptor
        return terminal
    }

    /// Nil if the terminal was not made from a descriptor.
    private var descriptor: Int32?

    private static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        return isKnown ? (Int(size.ws_col), Int(size.ws_row)) : nil
    }

    /// Reads the size again, because a user may have changed it. Returns whether it has changed.
    @discardableResult
    package mutating func resize() -> Bool {
        guard isTerminal, let descriptor, let size = Self.size(of: descriptor),
            size != (columns, rows)
        else { return false }
        (columns, rows) = size
        limit = max(1, columns - 1)
        return true
    }

    package enum Style: String, Sendable {
        case bold = "1"
        case dim = "2"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// The text in a style if the terminal has colours, otherwise unchanged.
    package func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
