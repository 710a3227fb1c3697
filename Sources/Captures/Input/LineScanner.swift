import Beacon

/// Finds the lines of a text in the buffer. Looks at every byte only once, even if the text arrives in small pieces.
struct LineScanner: Sendable {
    /// The number of the line that `next` found last, counted from 1.
    private(set) var line = 0
    private var isAmidLine = false

    /// A line at the front of the buffer, not yet consumed.
    struct Line {
        /// Bytes without the line end.
        var length: Int
        /// Bytes with the line end: how many to consume.
        var extent: Int
        /// The file ended before a line end.
        var isLast = false
    }

    /// The next line, or nil at the end of the file. A line longer than `limit` is returned in pieces.
    mutating func next(_ buffer: inout CaptureBuffer, limit: Int) throws(CaptureError) -> Line? {
        guard try buffer.has(1) else { return nil }
        line += isAmidLine ? 0 : 1
        isAmidLine = false
        var searched = 0
        while true {
            let unread = buffer.unread
            while searched < unread.count {
                if unread[searched] == UInt8(ascii: "\n") {
                    let hasReturn = searched > 0 && unread[searched - 1] == UInt8(ascii: "\r")
                    return Line(length: searched - (hasReturn ? 1 : 0), extent: searched + 1)
                }
                searched += 1
                if searched == limit {
                    isAmidLine = true
                    return Line(length: limit, extent: limit)
                }
            }
            guard try buffer.has(searched + 1) else {
                return Line(length: searched, extent: searched, isLast: true)
            }
        }
    }

    /// Goes back to before the line that was found last, which must not be consumed yet.
    mutating func unread() {
        line -= 1
    }

    /// Counts line ends inside a record.
    mutating func advance(by lines: Int) {
        line += lines
    }
}
