import Glibc
import Platform
import Synchronization

/// Receives the messages of a connection. It is called on the connection's thread, one call at a time and in the order
/// of the messages. If that thread cannot be started, `start` calls `busDidClose`. It must return soon and must not
/// block.
package protocol BusReceiver: Sendable {
    /// The bus has given this connection its unique name. The first call, unless the connection fails.
    func busDidConnect()

    /// A signal, or a call from another connection.
    func receive(_ message: BusMessage)

    /// The connection ended: with an error, or because `close` was called (nil). The last call.
    func busDidClose(_ error: BusError?)
}

/// A connection to a message bus. It has its own thread that waits for the bus, so that no other thread has to.
///
/// Only that thread uses libdbus, and none of libdbus's callbacks are used: messages are popped, answers are matched
/// with their calls here, and time-outs are measured here.
///
///     let connection = BusConnection(.system, receiver: receiver)
///     try connection.start()
///     let answer = try await connection.call(.call("org.bluez", "/", "org.freedesktop.DBus.Peer", "Ping"))
///     connection.close()
package final class BusConnection: Sendable {
    /// Receives the answer to a call, on the connection's thread.
    package typealias Reply = @Sendable (Result<BusMessage, BusError>) -> Void

    /// What other threads request from the connection's thread.
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
        /// Why it is over; nil if it was closed.
        var problem: BusError?
    }

    package let address: BusAddress
    let receiver: any BusReceiver
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

    /// Starts to connect; `busDidConnect` or `busDidClose` reports the result. Call it only once.
    ///
    /// - Throws: `noServer` if no thread can be started. `busDidClose` reports that as well: a receiver that holds the
    ///   connection must release it.
    package func start() throws(BusError) {
        do throws(BusError) {
            try startThread()
        } catch {
            end(error)
            throw error
        }
    }

    private func startThread() throws(BusError) {
        guard wake != nil else { throw BusError(.noServer, "this process has too many open files") }
        do {
            try OwnThread.start { BusLoop(self).run() }
        } catch {
            throw BusError(.noServer, error.description)
        }
    }

    // MARK: - From any thread

    /// Calls a method. `then` receives the answer or the error; it is called exactly once.
    package func call(_ message: BusMessage, timeout: Duration = .seconds(10), then: @escaping Reply) {
        _ = enqueue(message, timeout: timeout, then)
    }

    /// Calls a method and waits for the answer. Cancelling the task ends the wait and throws `cancelled`.
    package func call(
        _ message: BusMessage, timeout: Duration = .seconds(10)
    ) async throws(BusError) -> BusMessage {
        let id = Mutex<UInt64?>(nil)
        let result: Result<BusMessage, BusError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                id.withLock { $0 = enqueue(message, timeout: timeout) { continuation.resume(returning: $0) } }
                // The task was cancelled before the handler knew the id.
                if Task.isCancelled { id.withLock { $0 }.map(cancel) }
            }
        } onCancel: {
            id.withLock { $0 }.map(cancel)
        }
        return try result.get()
    }

    /// Sends a signal or the answer to a call. A message that cannot be sent is dropped.
    package func send(_ message: BusMessage) {
        submit(.send(message))
    }

    /// Runs a closure on the connection's thread, now or after a delay. It does not run after the connection was
    /// closed.
    package func perform(after delay: Duration = .zero, _ body: @escaping @Sendable () -> Void) {
        submit(.perform(after: delay, body))
    }

    /// Closes the connection. Calls without an answer fail as `disconnected`. Safe to call more than once.
    package func close() {
        submit(.close)
    }

    // MARK: - Between the threads

    private func cancel(_ id: UInt64) {
        submit(.cancel(id: id))
    }

    private func enqueue(_ message: BusMessage, timeout: Duration, _ reply: @escaping Reply) -> UInt64 {
        let (id, problem) = outbox.withLock { outbox -> (UInt64?, BusError?) in
            guard !outbox.isOver else { return (nil, outbox.problem) }
            defer { outbox.nextID += 1 }
            outbox.requests.append(.call(message, id: outbox.nextID, timeout: timeout, reply))
            return (outbox.nextID, nil)
        }
        guard let id else {
            reply(.failure(Self.disconnected(by: problem)))
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

    /// For the connection's thread: takes all waiting requests.
    func takeRequests() -> [Request] {
        outbox.withLock { outbox in
            defer { outbox.requests = [] }
            return outbox.requests
        }
    }

    /// For the connection's thread, or for `start` if there is none: accepts no more requests from now on. The calls
    /// that still waited fail.
    ///
    /// - Parameter held: requests that were taken and not carried out.
    func end(_ problem: BusError?, leaving held: [Request] = []) {
        let waiting = outbox.withLock { outbox in
            (outbox.isOver, outbox.problem) = (true, problem)
            defer { outbox.requests = [] }
            return outbox.requests
        }
        for case .call(_, _, _, let reply) in held + waiting { reply(.failure(Self.disconnected(by: problem))) }
        receiver.busDidClose(problem)
    }

    /// The error of the calls that the end of the connection leaves without an answer. If there never was a connection,
    /// it is the reason for that.
    static func disconnected(by problem: BusError?) -> BusError {
        if let problem, problem.name == .noServer { return problem }
        return BusError(.disconnected, problem?.message ?? "the connection to the bus is closed")
    }
}
