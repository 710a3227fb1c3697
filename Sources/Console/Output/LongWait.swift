import Glibc
import Synchronization
package import Text

/// Says on a terminal what goes on, and how far it is, once it takes longer than two seconds. Elsewhere it is silent.
package final class LongWait: Sendable {
    /// What is shown, after so many seconds and with so much done.
    package typealias Text = @Sendable (_ seconds: Int, _ done: Int) -> String

    private struct State {
        var isOver = false
        var isDrawn = false
    }

    private let text: Text
    private let terminal: Terminal
    private let state = Mutex(State())
    private let done = Atomic(0)

    /// Before this it is not long.
    private static let silence = Duration.seconds(2)
    private static let pause = Duration.milliseconds(250)

    private let draw: @Sendable (String) -> Void

    private init(_ terminal: Terminal, _ draw: @escaping @Sendable (String) -> Void, _ text: @escaping Text) {
        self.terminal = terminal
        self.draw = draw
        self.text = text
    }

    /// Begins to wait. `end` has to be called before anything else is written.
    ///
    /// - Parameter draw: writes what moves the cursor.
    package static func start(
        _ terminal: Terminal = .standardError, clock: some Clock<Duration> = ContinuousClock(),
        draw: @escaping @Sendable (String) -> Void = { Program.draw($0) }, _ text: @escaping Text
    ) -> LongWait {
        let wait = LongWait(terminal, draw, text)
        if terminal.isTerminal { Task { await wait.run(clock) } }
        return wait
    }

    /// How much is done. Cheap: may be called for every record.
    package func advance(by count: Int = 1) {
        done.add(count, ordering: .relaxed)
    }

    /// It is over: the line is taken away. May be called more than once.
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

    /// Returns whether it goes on.
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
