import GRDB
import Synchronization

/// A report that is being read. It can be cancelled when no client waits for it any more.
package final class HistoryReading: Sendable {
    private enum State {
        case waiting
        /// Running in the database, which can be interrupted.
        case running(HistoryStore)
        /// Ended: the database may be doing other work.
        case over
        case cancelled
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Cancels the reading at once, from any thread: it throws `interrupted`. Other work in the database is not
    /// affected.
    package func cancel() {
        state.withLock { state in
            if case .running(let store) = state { store.queue.interrupt() }
            if case .over = state { return }
            state = .cancelled
        }
    }

    /// - Throws: if it was cancelled.
    func check() throws(HistoryError) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { true } else { false }
        }
        if isCancelled { throw .abandoned }
    }

    /// Reads on the database's own thread. The database may be interrupted only during this call: its work before and
    /// after must be complete.
    func run<Value>(in store: HistoryStore, _ body: () throws -> Value) throws -> Value {
        try check()
        state.withLock { state in
            if case .waiting = state { state = .running(store) }
        }
        defer {
            state.withLock { state in
                if case .running = state { state = .over }
            }
        }
        let result = Result { try body() }
        // A cancelled reading throws its own error, not SQLite's.
        try check()
        return try result.get()
    }
}
