/// A line that people are to be told once. A newer one takes the place of one that nobody has taken yet.
struct NoticeLine: Sendable {
    private var line: String?

    mutating func tell(_ line: String) { self.line = line }

    mutating func take() -> [String] {
        defer { line = nil }
        return line.map { [$0] } ?? []
    }
}
