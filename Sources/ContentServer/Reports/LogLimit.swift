/// Keeps a log readable, whatever others send: a few lines in a minute, then only their number.
package struct LogLimit: Sendable {
    private var start = -Double.infinity
    private var told = 0
    private var kept = 0

    package static let mostInMinute = 5

    package init() {}

    /// The line to write; nil for none.
    ///
    /// - Parameter now: seconds of a clock that is never set.
    package mutating func line(_ text: @autoclosure () -> String, at now: Double) -> String? {
        var before = 0
        if now - start >= 60 {
            before = kept
            (start, told, kept) = (now, 0, 0)
        }
        guard told < Self.mostInMinute else {
            kept += 1
            return nil
        }
        told += 1
        return before > 0 ? "\(text()) (and \(before) others before)" : text()
    }
}
