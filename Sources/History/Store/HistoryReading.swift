import GRDB
import Synchronization

/// A report that is being read, for whoever ends it where nobody waits for it any more.
package final class HistoryReading: Sendable {
    private enum State {
        case waiting
        /// In the database, which can be interrupted.
        case running(HistoryStore)
        /// The database does something else.
        case over
        case cancelled
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Ends the reading at once, on any thread: it throws `interrupted`. Nothing else in the database is touched.
    package func cancel() {
        state.withLock { state in
            if case .running(let store) = state { store.queue.interrupt() }
            if case .over = state { return }
            state = .cancelled
        }
    }

    /// Throws where it was cancelled.
    func check() throws(HistoryError) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { true } else { false }
        }
        if isCancelled { throw .abandoned }
    }

    /// Reads, on the database's own thread. Only meanwhile may the database be interrupted: what it does before and after
    /// by itself has to be whole.
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
        // However SQLite put it.
        try check()
        return try result.get()
    }
}
