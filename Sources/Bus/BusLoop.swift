import CDBus
import Glibc
import Platform

/// The thread of a connection: the only place that uses libdbus's connection.
final class BusLoop {
    /// What an answer belongs to.
    private enum Waiting {
        case greeting
        case caller(id: UInt64, BusConnection.Reply)
    }

    private struct Call {
        var deadline: ContinuousClock.Instant
        var waiting: Waiting
    }

    private struct Alarm {
        var time: ContinuousClock.Instant
        var body: @Sendable () -> Void
    }

    private let owner: BusConnection
    private var connection: OpaquePointer?
    /// Calls that wait for an answer, by their serial.
    private var calls: [UInt32: Call] = [:]
    private var alarms: [Alarm] = []
    /// Requests that were made before the connection was ready.
    private var held: [BusConnection.Request] = []
    private var isClosing = false
    private var greetingError: BusError?

    init(_ owner: BusConnection) {
        self.owner = owner
    }

    func run() {
        var problem: BusError?
        do throws(BusError) {
            try connect()
            try serve()
        } catch {
            problem = error
        }
        if let connection {
            dbus_connection_close(connection)
            dbus_connection_unref(connection)
        }
        end(problem)
    }

    // MARK: - Connecting

    private func connect() throws(BusError) {
        // This setting is process-wide and on by default. libdbus writes with MSG_NOSIGNAL, and SIGPIPE belongs to the
        // program.
        dbus_connection_set_change_sigpipe(0)
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let connection = dbus_connection_open_private(owner.address.description, &error) else {
            throw BusError(.noServer, error.message.map { String(cString: $0) } ?? "no connection")
        }
        self.connection = connection
        dbus_connection_set_exit_on_disconnect(connection, 0)
        dbus_connection_set_max_message_size(connection, 16 << 20)

        let deadline = ContinuousClock.now + owner.connectTimeout
        // Only libdbus knows whether the handshake reads or writes next, so it waits itself, for a short time per turn.
        while dbus_connection_get_is_authenticated(connection) == 0 {
            guard dbus_connection_read_write(connection, 50) != 0, dbus_connection_get_is_connected(connection) != 0
            else {
                throw BusError(.noServer, "the bus does not accept this user, or is no message bus")
            }
            guard ContinuousClock.now < deadline else { throw BusError(.noReply, "the bus does not answer") }
            for request in takeRequests() {
                switch request {
                case .perform, .close: carryOut(request)
                case .call, .send, .cancel: held.append(request)
                }
            }
            guard !isClosing else { return }
        }
        // The first message on every connection. The bus answers with the unique name of this connection.
        let bus = "org.freedesktop.DBus"
        call(.call(bus, "/org/freedesktop/DBus", bus, "Hello"), deadline: deadline, .greeting)
        for request in held { carryOut(request) }
        held = []
    }

    // MARK: - Serving

    private func serve() throws(BusError) {
        guard let connection else { return }
        var descriptor: Int32 = -1
        guard dbus_connection_get_unix_fd(connection, &descriptor) != 0 else {
            throw BusError(.noServer, "the bus is reached without a descriptor")
        }
        var watched = [
            pollfd(fd: descriptor, events: 0, revents: 0),
            pollfd(fd: owner.wake?.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        while !isClosing {
            for request in takeRequests() { carryOut(request) }
            dbus_connection_read_write(connection, 0)
            while !isClosing, let message = dbus_connection_pop_message(connection) {
                let received = BusMessage(message)
                dbus_message_unref(message)
                try take(received)
            }
            fireWhatIsDue()
            if let greetingError { throw greetingError }
            guard dbus_connection_get_is_connected(connection) != 0 else {
                throw BusError(.disconnected, "the bus ended the connection")
            }
            guard !isClosing else { break }
            let isSending = dbus_connection_has_messages_to_send(connection) != 0
            watched[0].events = Int16(POLLIN) | (isSending ? Int16(POLLOUT) : 0)
            if poll(&watched, 2, PollTimeout.milliseconds(until: nextDeadline)) < 0, errno != EINTR {
                throw BusError(.disconnected, SystemFailure().description)
            }
        }
        flush(connection)
    }

    /// Sends the last messages (such as an answer) if the bus accepts them at once.
    private func flush(_ connection: OpaquePointer) {
        for _ in 0..<20 where dbus_connection_has_messages_to_send(connection) != 0 {
            guard dbus_connection_read_write(connection, 10) != 0 else { return }
        }
    }

    private func take(_ message: BusMessage) throws(BusError) {
        switch message.kind {
        case .answer, .error:
            // The bus delivers only answers from the called service. An answer without a waiting call came too late.
            guard let call = calls.removeValue(forKey: message.replySerial) else { return }
            finish(call, message.failure.map { .failure($0) } ?? .success(message))
        case .signal where message.interface == "org.freedesktop.DBus.Local":
            throw BusError(.disconnected, "the bus ended the connection")
        case .call where message.interface == "org.freedesktop.DBus.Peer" && message.member == "Ping":
            send(message.answer())
        case .call, .signal:
            owner.receiver.receive(message)
        default:
            return
        }
    }

    // MARK: - Requests

    private func takeRequests() -> [BusConnection.Request] {
        owner.wake?.reset()
        return owner.takeRequests()
    }

    private func carryOut(_ request: BusConnection.Request) {
        switch request {
        case .call(let message, let id, let timeout, let reply):
            call(message, deadline: .now + timeout, .caller(id: id, reply))
        case .send(let message):
            send(message)
        case .perform(let delay, let body):
            if delay > .zero {
                alarms.append(Alarm(time: .now + delay, body: body))
            } else {
                body()
            }
        case .cancel(let id):
            cancel(id)
        case .close:
            isClosing = true
        }
    }

    private func call(_ message: BusMessage, deadline: ContinuousClock.Instant, _ waiting: Waiting) {
        let call = Call(deadline: deadline, waiting: waiting)
        do throws(BusError) {
            calls[try transmit(message)] = call
        } catch {
            finish(call, .failure(error))
        }
    }

    private func finish(_ call: Call, _ result: Result<BusMessage, BusError>) {
        switch (call.waiting, result) {
        case (.caller(_, let reply), _): reply(result)
        case (.greeting, .success): owner.receiver.busDidConnect()
        case (.greeting, .failure(let error)): greetingError = error
        }
    }

    private func cancel(_ id: UInt64) {
        let serial = calls.first { call in
            if case .caller(id, _) = call.value.waiting { true } else { false }
        }?.key
        guard let serial, let call = calls.removeValue(forKey: serial) else { return }
        finish(call, .failure(BusError(.cancelled, "cancelled")))
    }

    private func send(_ message: BusMessage) {
        guard message.kind == .signal || !message.wantsNoReply else { return }
        _ = try? transmit(message)
    }

    private func transmit(_ message: BusMessage) throws(BusError) -> UInt32 {
        let made = try message.made()
        defer { dbus_message_unref(made) }
        var serial: UInt32 = 0
        guard let connection, dbus_connection_send(connection, made, &serial) != 0 else {
            throw BusError(.noMemory, "the message cannot be sent")
        }
        return serial
    }

    // MARK: - Time

    private func fireWhatIsDue() {
        let now = ContinuousClock.now
        for (serial, call) in calls where call.deadline <= now {
            calls[serial] = nil
            finish(call, .failure(BusError(.noReply, "no answer in time")))
        }
        guard alarms.contains(where: { $0.time <= now }) else { return }
        let due = alarms.filter { $0.time <= now }.sorted { $0.time < $1.time }
        alarms.removeAll { $0.time <= now }
        for alarm in due { alarm.body() }
    }

    /// Nil if there is nothing to wait for.
    private var nextDeadline: ContinuousClock.Instant? {
        (calls.values.map(\.deadline) + alarms.map(\.time)).min()
    }

    // MARK: - Ending

    private func end(_ problem: BusError?) {
        let disconnected = BusConnection.disconnected(by: problem)
        for call in calls.values { finish(call, .failure(disconnected)) }
        owner.end(problem, leaving: held)
    }
}
