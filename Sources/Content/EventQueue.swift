internal import Synchronization

/// Events on their way to one reader. Progress is replaced by newer progress of the same beacon, so the queue is
/// bounded by it; everything else is kept until it is read.
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

    /// No more events come; what is queued can still be read.
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
