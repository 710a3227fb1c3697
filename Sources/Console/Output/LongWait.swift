import Glibc
import Synchronization
package import Text

/// Shows on a terminal what the program is doing and how far it is, after two seconds. Elsewhere it writes nothing.
package final class LongWait: Sendable {
    /// The text to show after so many seconds and with so much done.
    package typealias Text = @Sendable (_ seconds: Int, _ done: Int) -> String

    private struct State {
        var isOver = false
        var isDrawn = false
    }

    private let text: Text
    private let terminal: Terminal
    private let state = Mutex(State())
    private let done = Atomic(0)

    /// The time before anything is shown.
    private static let silence = Duration.seconds(2)
    private static let pause = Duration.milliseconds(250)

    private let draw: @Sendable (String) -> Void

    private init(_ terminal: Terminal, _ draw: @escaping @Sendable (String) -> Void, _ text: @escaping Text) {
        self.terminal = terminal
        self.draw = draw
        self.text = text
    }

    /// Starts. Call `end` before anything else is written.
    ///
    /// - Parameter draw: writes text that contains cursor movements.
    package static func start(
        _ terminal: Terminal = .standardError, clock: some Clock<Duration> = ContinuousClock(),
        draw: @escaping @Sendable (String) -> Void = { Program.draw($0) }, _ text: @escaping Text
    ) -> LongWait {
        let wait = LongWait(terminal, draw, text)
        if terminal.isTerminal { Task { await wait.run(clock) } }
        return wait
    }

    /// Adds to what is done. This is cheap enough to be called for every record.
    package func advance(by count: Int = 1) {
        done.add(count, ordering: .relaxed)
    }

    /// Ends and removes the line. It may be called more than once.
    package func end() {
        state.withLock { state in
            if state.isDrawn, !state.isOver { draw("\r\u{1B}[K") }
            state.isOver = true
        }
    }

    private func run<Time: Clock<Duration>>(_ clock: Time) async {
        let start = clock.now
        try? await clock.sleep(for: Self.silence)
        while show(Int(start.duration(to: clock.now).components.seconds)) {
            try? await clock.sleep(for: Self.pause)
        }
    }

    /// Returns whether it continues.
    private func show(_ seconds: Int) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            let line = text(seconds, done.load(ordering: .relaxed))
            draw("\r\u{1B}[K" + shortened(printable(line), terminal.limit ?? 79))
            state.isDrawn = true
            return true
        }
    }
}
