package import Broker
import Synchronization

/// Reports that have come from the broker and are not stored yet: few, because the broker keeps the others. The broker
/// does not have these any more.
///
/// The connection's thread puts in, and a task takes out.
package final class ReportInbox: Sendable {
    private enum Stage {
        case open
        /// No further messages come. Those that are there are still stored.
        case ending
        /// There is no time left for what cannot be stored at once.
        case givenUp
    }

    private struct State {
        var messages: [MosquittoClient.Message] = []
        var stage = Stage.open
        var taker: CheckedContinuation<MosquittoClient.Message?, Never>?
        /// The time before the next attempt.
        var pause: Task<Void, Never>?
    }

    /// No further ones are read above this. Each has at most a report's bytes.
    static let most = 8

    /// The longest time between attempts while the server ends.
    private static let lastPause = Duration.milliseconds(500)

    private let state = Mutex(State())

    package init() {}

    /// Whether to read further messages.
    var hasRoom: Bool { state.withLock { $0.stage == .open && $0.messages.count < Self.most } }

    var isEnding: Bool { state.withLock { $0.stage != .open } }

    /// Takes a message, also where there is no room: the broker does not have it any more. Those of one TLS record come
    /// together.
    package func put(_ message: MosquittoClient.Message) {
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
                if state.stage != .open { return (true, nil) }
                state.taker = continuation
                return (false, nil)
            }
            if isKnown { continuation.resume(returning: message) }
        }
    }

    /// Waits before the next attempt to store a message. The end of the server makes it shorter. For one task.
    ///
    /// - Returns: false if there is no time left for another attempt.
    func pause<C: Clock<Duration>>(for duration: Duration, on clock: C) async -> Bool {
        let pause = state.withLock { state -> Task<Void, Never>? in
            guard state.stage != .givenUp else { return nil }
            let length = state.stage == .ending ? min(duration, Self.lastPause) : duration
            let pause = Task { _ = try? await clock.sleep(for: length) }
            state.pause = pause
            return pause
        }
        guard let pause else { return false }
        await pause.value
        return state.withLock { state in
            state.pause = nil
            return state.stage != .givenUp
        }
    }

    /// No further messages are read; those that are there are still given.
    package func end() { leave(for: .ending) }

    /// What cannot be stored at once from now on is lost.
    package func giveUp() { leave(for: .givenUp) }

    private func leave(for stage: Stage) {
        let (taker, pause) = state.withLock { state in
            defer { state.taker = nil }
            state.stage = stage
            return (state.taker, state.pause)
        }
        taker?.resume(returning: nil)
        pause?.cancel()
    }
}
