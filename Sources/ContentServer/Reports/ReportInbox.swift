import Broker
import Synchronization

/// Reports that have come from the broker and are not stored yet: few, because the broker keeps the others.
///
/// The connection's thread puts in, and a task takes out.
final class ReportInbox: Sendable {
    private struct State {
        var messages: [MosquittoClient.Message] = []
        var isOver = false
        var taker: CheckedContinuation<MosquittoClient.Message?, Never>?
    }

    /// No further ones are read above this. Each has at most a report's bytes.
    static let most = 8

    private let state = Mutex(State())

    /// Whether to read further messages.
    var hasRoom: Bool { state.withLock { !$0.isOver && $0.messages.count < Self.most } }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Takes a message, also where there is no room: the broker does not have it any more. Those of one TLS record come
    /// together.
    func put(_ message: MosquittoClient.Message) {
        let taker = state.withLock { state -> CheckedContinuation<MosquittoClient.Message?, Never>? in
            guard let taker = state.taker else {
                state.messages.append(message)
                return nil
            }
            state.taker = nil
            return taker
        }
        taker?.resume(returning: message)
    }

    /// The next message; nil after the end. For one task.
    func next() async -> MosquittoClient.Message? {
        await withCheckedContinuation { continuation in
            let (isKnown, message) = state.withLock { state -> (Bool, MosquittoClient.Message?) in
                if !state.messages.isEmpty { return (true, state.messages.removeFirst()) }
                if state.isOver { return (true, nil) }
                state.taker = continuation
                return (false, nil)
            }
            if isKnown { continuation.resume(returning: message) }
        }
    }

    /// No further messages are read; those that are there are still given.
    func end() {
        let taker = state.withLock { state in
            defer { state.taker = nil }
            state.isOver = true
            return state.taker
        }
        taker?.resume(returning: nil)
    }
}
