import Glibc
import Synchronization
package import Text

/// Progress on standard error: on a terminal one line that is drawn anew in place, elsewhere a plain line every few
/// seconds.
package final class ProgressLine: Sendable {
    private struct State {
        var drawnAt: Double?
        var isDrawn = false
    }

    private let terminal: Terminal
    private let state = Mutex(State())

    /// Seconds between two plain lines.
    private static let plainInterval = 5.0
    private static let drawingInterval = 0.1

    package init(_ terminal: Terminal = .standardError) {
        self.terminal = terminal
    }

    /// Shows how far it is, if enough time has passed since the last.
    ///
    /// - Parameter text: gets the terminal, and whether it is a line for a log; it is only asked for when it is shown.
    package func show(at seconds: Double, _ text: (Terminal) -> String) {
        state.withLock { state in
            let interval = terminal.isTerminal ? Self.drawingInterval : Self.plainInterval
            guard let last = state.drawnAt else {
                // Something that takes no time needs no plain line.
                state.drawnAt = terminal.isTerminal ? seconds - interval : seconds
                return
            }
            guard seconds - last >= interval else { return }
            state.drawnAt = seconds
            let line = text(terminal)
            if terminal.isTerminal {
                Program.draw("\r\u{1B}[K" + shortened(printable(line), terminal.limit ?? 79))
                state.isDrawn = true
            } else {
                Program.write(line + "\n")
            }
        }
    }

    /// Takes a drawn line away, so that something else can be printed.
    package func clear() {
        state.withLock { state in
            if state.isDrawn { Program.draw("\r\u{1B}[K") }
            state.isDrawn = false
        }
    }
}
