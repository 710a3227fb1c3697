import Glibc
import Platform
import Synchronization

/// Who takes what comes over a connection. Called on the connection's thread, one call at a time and in the order of
/// the wire: it must return soon and must not block.
package protocol BusReceiver: Sendable {
    /// The bus has given this connection its name. The first call, unless the connection fails.
    func busDidConnect()

    /// A signal, or a call from somebody else.
    func receive(_ message: BusMessage)

    /// The connection ended: by itself, which is an error, or because `close` was called (nil). The last call.
    func busDidClose(_ error: BusError?)
}

/// A connection to a message bus, with a thread of its own that waits for the bus so that no other has to.
///
/// libdbus is touched by that thread only, and none of libdbus's callbacks are used: messages are popped, answers
/// are matched with their calls here, and time-outs are counted here.
///
///     let connection = BusConnection(.system, receiver: receiver)
///     try connection.start()
///     let answer = try await connection.call(.call("org.bluez", "/", "org.freedesktop.DBus.Peer", "Ping"))
///     connection.close()
package final class BusConnection: Sendable {
    /// Takes the answer to a call, on the connection's thread.
    package typealias Reply = @Sendable (Result<BusMessage, BusError>) -> Void

    /// What other threads ask of the connection's thread.
    enum Request: Sendable {
        case call(BusMessage, id: UInt64, timeout: Duration, Reply)
        case send(BusMessage)
        case perform(after: Duration, @Sendable () -> Void)
        case cancel(id: UInt64)
        case close
    }

    private struct Outbox {
        var requests: [Request] = []
        var nextID: UInt64 = 1
        var isOver = false
    }

    package let address: BusAddress
    let receiver: any BusReceiver
    /// How long connecting may take.
    let connectTimeout: Duration
    let wake: WakeDescriptor?
    private let outbox = Mutex(Outbox())

    /// - Parameter connectTimeout: how long connecting may take.
    package init(_ address: BusAddress, receiver: any BusReceiver, connectTimeout: Duration = .seconds(10)) {
        self.address = address
        self.receiver = receiver
        self.connectTimeout = connectTimeout
        wake = try? WakeDescriptor()
    }

    /// Starts to connect; `busDidConnect` or `busDidClose` will tell. Called once.
    ///
    /// Throws `noServer` where no thread can be had.
    package func start() throws(BusError) {
        guard wake != nil else { throw BusError(.noServer, "no more descriptors for this process") }
        do {
            try OwnThread.start { BusLoop(self).run() }
        } catch {
            throw BusError(.noServer, error.description)
        }
    }

    // MARK: - From any thread

    /// Calls a method. `then` gets the answer, or its failure; it is called exactly once.
    package func call(_ message: BusMessage, timeout: Duration = .seconds(10), then: @escaping Reply) {
        _ = enqueue(message, timeout: timeout, then)
    }

    /// Calls a method and waits for the answer. The caller's cancellation ends the wait, and throws `cancelled`.
    package func call(
        _ message: BusMessage, timeout: Duration = .seconds(10)
    ) async throws(BusError) -> BusMessage {
        let id = Mutex<UInt64?>(nil)
        let result: Result<BusMessage, BusError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                id.withLock { $0 = enqueue(message, timeout: timeout) { continuation.resume(returning: $0) } }
                // Cancelled before the number was known to the handler.
                if Task.isCancelled { id.withLock { $0 }.map(cancel) }
            }
        } onCancel: {
            id.withLock { $0 }.map(cancel)
        }
        return try result.get()
    }

    /// Sends a signal or the answer to a call. One that may not be sent is dropped.
    package func send(_ message: BusMessage) {
        submit(.send(message))
    }

    /// Runs a closure on the connection's thread, now or after a while. It does not run once the connection is closed.
    package func perform(after delay: Duration = .zero, _ body: @escaping @Sendable () -> Void) {
        submit(.perform(after: delay, body))
    }

    /// Ends the connection. Calls without an answer fail as `disconnected`. Safe to call more than once.
    package func close() {
        submit(.close)
    }

    // MARK: - Between the threads

    private func cancel(_ id: UInt64) {
        submit(.cancel(id: id))
    }

    private func enqueue(_ message: BusMessage, timeout: Duration, _ reply: @escaping Reply) -> UInt64 {
        let id = outbox.withLock { outbox -> UInt64? in
            guard !outbox.isOver else { return nil }
            defer { outbox.nextID += 1 }
            outbox.requests.append(.call(message, id: outbox.nextID, timeout: timeout, reply))
            return outbox.nextID
        }
        guard let id else {
            reply(.failure(BusError(.disconnected, "the connection to the bus is closed")))
            return 0
        }
        wake?.wake()
        return id
    }

    private func submit(_ request: Request) {
        let isTaken = outbox.withLock { outbox in
            if !outbox.isOver { outbox.requests.append(request) }
            return !outbox.isOver
        }
        if isTaken { wake?.wake() }
    }

    /// For the connection's thread: all that is asked of it.
    func takeRequests() -> [Request] {
        outbox.withLock { outbox in
            defer { outbox.requests = [] }
            return outbox.requests
        }
    }

    /// For the connection's thread: from now on nothing is taken in. Returns what was still waiting.
    func finish() -> [Request] {
        outbox.withLock { outbox in
            outbox.isOver = true
            defer { outbox.requests = [] }
            return outbox.requests
        }
    }
}
