import Synchronization

/// A connection, as far as the work for it has to know of it: whether somebody is still there, and how much of what was
/// sent has not been taken yet.
final class Client: Sendable {
    private struct State {
        var isGone = false
        var whenGone: (@Sendable () -> Void)?
        /// Octets that were written and that the system has not taken yet.
        var waiting = 0
        /// Who waits until no more than so many octets wait.
        var forRoom: (most: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())
    /// Why it is refused; nil where it is served.
    let refusal: ControlFailure?
    /// Given back with the connection, and when nothing works for it any more.
    private let places: [any Sendable]

    /// What is written at once, and what may wait to be taken, in octets.
    static let largestPiece = 65_536
    static let mostWaiting = 2 * largestPiece

    init(refusal: ControlFailure? = nil, places: [any Sendable] = []) {
        self.refusal = refusal
        self.places = places
    }

    /// Called once it is gone, on any thread; at once where it is gone already. The next caller takes its place.
    func whenGone(_ body: (@Sendable () -> Void)?) {
        let isGone = state.withLock { state in
            if !state.isGone { state.whenGone = body }
            return state.isGone
        }
        if isGone { body?() }
    }

    /// Nobody is there any more.
    func leave() {
        let (whenGone, forRoom) = state.withLock { state in
            state.isGone = true
            defer { (state.whenGone, state.forRoom) = (nil, nil) }
            return (state.whenGone, state.forRoom?.continuation)
        }
        whenGone?()
        forRoom?.resume()
    }

    /// Suspends until so many octets can be written. Throws where nobody is there any more. One task at a time.
    ///
    /// - Parameter most: octets that may wait to be taken, these included.
    func waitForRoom(_ count: Int, most: Int = mostWaiting) async throws {
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

    /// The system has taken so many octets.
    func taken(_ count: Int) {
        let forRoom = state.withLock { state -> CheckedContinuation<Void, Never>? in
            // What goes out in one piece was not waited for.
            state.waiting = max(0, state.waiting - count)
            guard let (most, continuation) = state.forRoom, state.waiting <= most else { return nil }
            state.forRoom = nil
            return continuation
        }
        forRoom?.resume()
    }
}

/// The clients of a socket by their channels.
final class Clients: Sendable {
    private let clients = Mutex<[ObjectIdentifier: Client]>([:])

    subscript(channel: any AnyObject & Sendable) -> Client? {
        get { clients.withLock { $0[ObjectIdentifier(channel)] } }
    }

    func set(_ client: Client?, for channel: any AnyObject & Sendable) {
        // Let go of outside the lock.
        let former = clients.withLock { clients in
            defer { clients[ObjectIdentifier(channel)] = client }
            return clients[ObjectIdentifier(channel)]
        }
        withExtendedLifetime(former) {}
    }
}
