import Bus
import Events
import Synchronization

/// Takes what others call, on the connection's thread, and tells when the connection has ended.
final class BusCaller: BusReceiver {
    private let answers: BusAnswers
    private let hub: EventHub
    private let sync: @Sendable () -> BusError?
    private let send = Mutex<(@Sendable (BusMessage) -> Void)?>(nil)
    private let (ends, end) = AsyncStream<Never>.makeStream()

    init(_ answers: BusAnswers, hub: EventHub, sync: @escaping @Sendable () -> BusError?) {
        self.answers = answers
        self.hub = hub
        self.sync = sync
    }

    /// Where answers go. To be set before anything can come.
    func answer(by send: @escaping @Sendable (BusMessage) -> Void) {
        self.send.withLock { $0 = send }
    }

    /// Returns when the connection has ended, or the task was cancelled.
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
        send.withLock { $0 }?(answer)
    }

    func busDidClose(_ error: BusError?) {
        // The connection is held by what it sends with.
        send.withLock { $0 = nil }
        end.finish()
    }
}
