import NIOCore
import Synchronization

/// A connection that is being made, and may be given up meanwhile. NIO tries one address after another, each with a
/// channel of its own, and waits seconds for the answer.
final class ConnectionAttempt: Sendable {
    private struct State {
        var channels: [any Channel] = []
        var isGivenUp = false
    }

    private let state = Mutex(State())

    /// For each new channel. Throws when the attempt was given up.
    func add(_ channel: any Channel) throws {
        let isGivenUp = state.withLock { state in
            if !state.isGivenUp { state.channels.append(channel) }
            return state.isGivenUp
        }
        if isGivenUp { throw ChannelError.ioOnClosedChannel }
    }

    /// Ends the wait; connecting fails.
    func giveUp() {
        let channels = state.withLock { state in
            state.isGivenUp = true
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
