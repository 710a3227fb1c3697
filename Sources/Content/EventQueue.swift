internal import Synchronization

/// A queue of events for one reader. New progress replaces older progress of the same beacon, so the queue cannot grow
/// with it. All other events are kept until they are read.
final class EventQueue: Sendable {
    private struct State {
        var events: [ContentEvent] = []
        var reader: CheckedContinuation<ContentEvent?, Never>?
        var finished = false
    }

    private let state = Mutex(State())

    func push(_ event: ContentEvent) {
        let reader: CheckedContinuation<ContentEvent?, Never>? = state.withLock { state in
            guard !state.finished else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            if case .progress = event {
                state.events.removeAll { old in
                    if case .progress = old { old.beacon == event.beacon } else { false }
                }
            }
            state.events.append(event)
            return nil
        }
        reader?.resume(returning: event)
    }

    /// Ends the queue. Events in it can still be read.
    func finish() {
        let reader = state.withLock { state in
            state.finished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    var stream: AsyncStream<ContentEvent> {
        AsyncStream { await self.next() } onCancel: { self.finish() }
    }

    private func next() async -> ContentEvent? {
        await withCheckedContinuation { continuation in
            let answer: ContentEvent?? = state.withLock { state in
                if !state.events.isEmpty { return .some(state.events.removeFirst()) }
                if state.finished || state.reader != nil { return .some(nil) }
                state.reader = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
