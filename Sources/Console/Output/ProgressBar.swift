/// A bar that shows how much of something is done.
public struct ProgressBar: Sendable {
    private static let width = 20

    private let terminal: Terminal

    public init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// `████░░░░ 1.2 MiB of 3.4 MiB`.
    public func text(_ bytes: Int64, of total: Int64) -> String {
        let share = min(max(Double(bytes) / Double(max(1, total)), 0), 1)
        let full = Int(share * Double(Self.width))
        let filled = String(repeating: terminal.hasBlocks ? "█" : "#", count: full)
        let empty = String(repeating: terminal.hasBlocks ? "░" : ".", count: Self.width - full)
        return filled + empty + " \(ByteCount.text(bytes)) of \(ByteCount.text(total))"
    }
}
