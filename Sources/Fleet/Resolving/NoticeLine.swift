/// A line to be reported once. A newer one replaces one that was not taken yet.
struct NoticeLine: Sendable {
    private var line: String?

    mutating func tell(_ line: String) { self.line = line }

    mutating func take() -> [String] {
        defer { line = nil }
        return line.map { [$0] } ?? []
    }
}
