import Text

/// The output of a command as lines for the log: limited, and without control characters for a terminal.
package struct OutputLines: Sendable {
    private var rest: [UInt8] = []
    private var count = 0
    private var isCut = false

    private static let longestLine = 1000
    private static let mostLines = 100

    package init() {}

    /// Adds output, and returns the lines that are now complete.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines += flush()
            } else if rest.count < Self.longestLine {
                rest.append(byte)
            }
        }
        return lines
    }

    /// The last, incomplete line.
    package mutating func end() -> [String] {
        rest.isEmpty ? [] : flush()
    }

    private mutating func flush() -> [String] {
        defer { rest.removeAll(keepingCapacity: true) }
        count += 1
        guard count <= Self.mostLines else {
            defer { isCut = true }
            return isCut ? [] : ["… (what it prints beyond \(Self.mostLines) lines is left out)"]
        }
        return [printable(String(decoding: rest, as: UTF8.self))]
    }
}
