import Synchronization

/// The state of a connection that the work for it needs: whether the client is still there, and how many of the bytes
/// sent to it are still waiting.
package final class Client: Sendable {
    private struct State {
        var isGone = false
        var whenGone: (@Sendable () -> Void)?
        /// Bytes that were written and that the system has not yet accepted.
        var waiting = 0
        /// The task that waits until at most `most` bytes are waiting.
        var forRoom: (most: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())
    /// Why the client is refused; nil if it is served.
    package let refusal: Refusal?
    /// Released when the connection has ended and no work for it is left.
    private let places: [any Sendable]

    /// The maximum size of one write, and of the data waiting to be sent, in bytes.
    package static let largestPiece = 65_536
    package static let mostWaiting = 2 * largestPiece

    package init(refusal: Refusal? = nil, places: [any Sendable] = []) {
        self.refusal = refusal
        self.places = places
    }

    /// Calls `body` when the client has left, on any thread; at once if it has already left. A new closure replaces the
    /// old one.
    package func whenGone(_ body: (@Sendable () -> Void)?) {
        let isGone = state.withLock { state in
            if !state.isGone { state.whenGone = body }
            return state.isGone
        }
        if isGone { body?() }
    }

    /// The client has left.
    package func leave() {
        let (whenGone, forRoom) = state.withLock { state in
            state.isGone = true
            defer { (state.whenGone, state.forRoom) = (nil, nil) }
            return (state.whenGone, state.forRoom?.continuation)
        }
        whenGone?()
        forRoom?.resume()
    }

    /// Suspends until `count` bytes can be written. Only one task at a time.
    ///
    /// - Parameter most: how many bytes may wait to be sent, including these.
    /// - Throws: if the client has left.
    package func waitForRoom(_ count: Int, most: Int = mostWaiting) async throws {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isFull = !state.isGone && state.waiting > 0 && state.waiting + count > most
                state.waiting += count
                if isFull { state.forRoom = (max(most, count), continuation) }
                return !isFull
            }
            if isThere { continuation.resume() }
        }
        guard !state.withLock({ $0.isGone }) else { throw CancellationError() }
    }

    /// The system has accepted `count` bytes.
    package func taken(_ count: Int) {
        let forRoom = state.withLock { state -> CheckedContinuation<Void, Never>? in
            // A body that is sent in one piece did not wait for room.
            state.waiting = max(0, state.waiting - count)
            guard let (most, continuation) = state.forRoom, state.waiting <= most else { return nil }
            state.forRoom = nil
            return continuation
        }
        forRoom?.resume()
    }
}

/// The clients of a socket, by their channels.
final class Clients: Sendable {
    private let clients = Mutex<[ObjectIdentifier: Client]>([:])

    subscript(channel: any AnyObject & Sendable) -> Client? {
        get { clients.withLock { $0[ObjectIdentifier(channel)] } }
    }

    func set(_ client: Client?, for channel: any AnyObject & Sendable) {
        // Released outside the lock.
        let former = clients.withLock { clients in
            defer { clients[ObjectIdentifier(channel)] = client }
            return clients[ObjectIdentifier(channel)]
        }
        withExtendedLifetime(former) {}
    }
}
