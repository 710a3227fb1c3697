import Bus
import Events
import Synchronization

/// Receives calls on the connection's thread and reports the end of the connection.
final class BusCaller: BusReceiver {
    private let answers: BusAnswers
    private let hub: EventHub
    private let sync: @Sendable () -> BusError?
    private let way = Mutex<Way?>(nil)
    private let (ends, end) = AsyncStream<Never>.makeStream()

    /// A closure stored directly in a `Mutex` would be wrapped again by each access.
    private struct Way: Sendable {
        let send: @Sendable (BusMessage) -> Void
    }

    init(_ answers: BusAnswers, hub: EventHub, sync: @escaping @Sendable () -> BusError?) {
        self.answers = answers
        self.hub = hub
        self.sync = sync
    }

    /// Sets where answers go. Call it before any message can arrive.
    func answer(by send: @escaping @Sendable (BusMessage) -> Void) {
        way.withLock { $0 = Way(send: send) }
    }

    /// Returns when the connection has ended or the task was cancelled.
    func closed() async {
        for await _ in ends {}
    }

    func busDidConnect() {}

    func receive(_ message: BusMessage) {
        guard message.kind == .call else { return }
        let answer =
            switch answers.outcome(message, hub.snapshot) {
            case .answer(let answer): answer
            case .sync: sync().map(message.failure) ?? message.answer()
            }
        guard !message.wantsNoReply else { return }
        way.withLock { $0 }?.send(answer)
    }

    func busDidClose(_ error: BusError?) {
        // The closure holds the connection, so it is released here.
        way.withLock { $0 = nil }
        end.finish()
    }
}
