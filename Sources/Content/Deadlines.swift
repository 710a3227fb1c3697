internal import Synchronization

/// Ends work that takes too long. All deadlines share one sleeping task: a cancelled sleep stays in memory until it
/// would have ended. For thousands of assets with half an hour each, that would be too much.
final class Deadlines: Sendable {
    private struct Entry {
        var instant: Duration
        var hasPassed = false
        var end: @Sendable () -> Void
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var next = 0
        var isWatched = false
    }

    private let time: ContentTime
    private let state = Mutex(State())

    /// How late a deadline may be noticed.
    private static let tick = Duration.milliseconds(250)

    init(time: ContentTime) {
        self.time = time
    }

    /// Calls `end` once `limit` has passed, unless it is removed before.
    func add(after limit: Duration, _ end: @escaping @Sendable () -> Void) -> Int {
        let (number, mustWatch) = state.withLock { state in
            state.next += 1
            state.entries[state.next] = Entry(instant: time.elapsed() + limit, end: end)
            defer { state.isWatched = true }
            return (state.next, !state.isWatched)
        }
        if mustWatch { Task { await self.watch() } }
        return number
    }

    func remove(_ number: Int) {
        state.withLock { _ = $0.entries.removeValue(forKey: number) }
    }

    func hasPassed(_ number: Int) -> Bool {
        state.withLock { $0.entries[number]?.hasPassed == true }
    }

    private func watch() async {
        var pause = Self.tick
        // This is only a wake-up: the given clock decides what has passed.
        while (try? await Task.sleep(for: pause)) != nil {
            let due = state.withLock { state -> [@Sendable () -> Void]? in
                guard !state.entries.isEmpty else {
                    state.isWatched = false
                    return nil
                }
                let now = time.elapsed()
                var due: [@Sendable () -> Void] = []
                pause = Self.tick
                for (number, entry) in state.entries where !entry.hasPassed {
                    pause = min(pause, max(entry.instant - now, .milliseconds(1)))
                    guard entry.instant <= now else { continue }
                    state.entries[number]?.hasPassed = true
                    due.append(entry.end)
                }
                return due
            }
            guard let due else { return }
            for end in due { end() }
        }
        state.withLock { $0.isWatched = false }
    }
}
