import Glibc
import Synchronization
package import Text

/// Progress on standard error: on a terminal one line that is redrawn in place, elsewhere a line every few seconds.
package final class ProgressLine: Sendable {
    private struct State {
        var drawnAt: Double?
        var isDrawn = false
    }

    private let terminal: Terminal
    private let state = Mutex(State())

    /// Seconds between two lines where it is not a terminal.
    private static let plainInterval = 5.0
    private static let drawingInterval = 0.1

    package init(_ terminal: Terminal = .standardError) {
        self.terminal = terminal
    }

    /// Shows the progress, if enough time has passed since it was last shown.
    ///
    /// - Parameters:
    ///   - seconds: of a clock that is never set.
    ///   - text: makes the text for a terminal. It is called only when something is shown.
    package func show(at seconds: Double, _ text: (Terminal) -> String) {
        state.withLock { state in
            let interval = terminal.isTerminal ? Self.drawingInterval : Self.plainInterval
            guard let last = state.drawnAt else {
                // A task that takes no time needs no line in a log.
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

    /// Removes a drawn line, so that something else can be printed.
    package func clear() {
        state.withLock { state in
            if state.isDrawn { Program.draw("\r\u{1B}[K") }
            state.isDrawn = false
        }
    }
}
