import NIOCore
import Synchronization

/// An attempt to connect that can be cancelled. NIO tries one address after another, each with its own channel, and
/// waits seconds for the answer.
final class ConnectionAttempt: Sendable {
    private struct State {
        var channels: [any Channel] = []
        var isGivenUp = false
    }

    private let state = Mutex(State())

    /// Adds a new channel. Throws if the attempt was cancelled.
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
