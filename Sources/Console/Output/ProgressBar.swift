package import Text

/// A bar that shows which share is done.
package struct ProgressBar: Sendable {
    private let terminal: Terminal
    private let width: Int

    /// - Parameter width: the bar's width in columns, without the numbers after it.
    package init(_ terminal: Terminal, width: Int = 20) {
        self.terminal = terminal
        self.width = max(width, 1)
    }

    /// `████░░░░ 1.2 MiB of 3.4 MiB`.
    package func text(_ bytes: Int64, of total: Int64) -> String {
        let share = min(max(Double(bytes) / Double(max(1, total)), 0), 1)
        let full = Int(share * Double(width))
        let filled = String(repeating: terminal.hasBlocks ? "█" : "#", count: full)
        let empty = String(repeating: terminal.hasBlocks ? "░" : ".", count: width - full)
        return filled + empty + " \(ByteCount.text(bytes)) of \(ByteCount.text(total))"
    }
}
