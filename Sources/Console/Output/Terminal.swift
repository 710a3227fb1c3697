import Glibc

/// What standard output, or standard error, is and can do.
public struct Terminal: Sendable {
    public var isTerminal: Bool
    /// Columns and rows; 80 × 24 where unknown.
    public var columns: Int
    public var rows: Int
    public var hasColour: Bool
    /// The locale's encoding is UTF-8, so that block characters can be drawn.
    public var hasBlocks: Bool

    public init(isTerminal: Bool, columns: Int = 80, rows: Int = 24, hasColour: Bool = false, hasBlocks: Bool = true) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.rows = rows
        self.hasColour = hasColour
        self.hasBlocks = hasBlocks
    }

    /// Standard output.
    public static var current: Terminal { of(1) }

    /// Standard error, for progress and questions.
    public static var standardError: Terminal { of(2) }

    /// Standard input is a terminal: somebody can be asked.
    public static var hasReader: Bool { isatty(0) == 1 }

    /// Looks at a descriptor and the environment (NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG).
    private static func of(_ descriptor: Int32) -> Terminal {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let isTerminal = isatty(descriptor) == 1 && variable("TERM") != "dumb"
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? ""
        return Terminal(
            isTerminal: isTerminal, columns: isKnown ? Int(size.ws_col) : 80, rows: isKnown ? Int(size.ws_row) : 24,
            hasColour: isTerminal && variable("NO_COLOR") == nil,
            hasBlocks: locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8"))
    }

    public enum Style: String, Sendable {
        case bold = "1"
        case dim = "2"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// The text in a style where the terminal has colours, else as it is.
    public func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// Text from outside without control characters, which could move the cursor or worse.
public func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
}
