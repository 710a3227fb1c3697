import Bus
import Synchronization

/// This program's end of the connection: the exported object, and the reason for its end.
final class AdvertisementObject: BusReceiver {
    enum End: Sendable {
        case released
        case daemonEnded
        case busEnded
    }

    private struct State {
        var connection: BusConnection?
        var daemon: String?
        var connectionError: BusError?
    }

    private let advertisement: LEAdvertisement
    private let state = Mutex(State())
    private let (ends, continuation) = AsyncStream.makeStream(of: End.self)

    init(_ advertisement: LEAdvertisement) {
        self.advertisement = advertisement
    }

    /// The connection and this object hold each other until the connection is closed.
    func attach(_ connection: BusConnection) {
        state.withLock { $0.connection = connection }
    }

    func noteDaemon(_ name: String?) {
        state.withLock { $0.daemon = name }
    }

    var connectionError: BusError? { state.withLock { $0.connectionError } }

    /// The first reason for the end.
    func firstEnd() async -> End {
        for await end in ends { return end }
        return .busEnded
    }

    func busDidConnect() {}

    func receive(_ message: BusMessage) {
        let (connection, daemon) = state.withLock { ($0.connection, $0.daemon) }
        if message.kind == .signal {
            guard message.member == "NameOwnerChanged", message.sender == BluezNames.bus, message.body.count == 3,
                message.body[0].text == BluezNames.service, let daemon, message.body[1].text == daemon
            else { return }
            continuation.yield(.daemonEnded)
            return
        }
        // Nothing is registered before bluetoothd's name is known, so no call can arrive before that.
        let (answer, isReleased) = advertisement.answer(message, isFromDaemon: message.sender == daemon)
        connection?.send(answer)
        if isReleased { continuation.yield(.released) }
    }

    func busDidClose(_ error: BusError?) {
        state.withLock { state in
            state.connectionError = error
            state.connection = nil
        }
        continuation.yield(.busEnded)
        continuation.finish()
    }
}
