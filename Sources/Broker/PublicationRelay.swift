import Synchronization

/// One message at a time that another part of the program sends over a connection, until the broker has acknowledged
/// it.
///
/// It outlives connections, and the part that makes them.
package final class PublicationRelay: Sendable {
    private struct State {
        var slot = PublicationSlot()
        var wake: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: - For the sender

    /// Replaces the previous message.
    ///
    /// - Returns: the number of the message; see `arrived`.
    package func put(_ publication: Publication) -> UInt64 {
        let (number, wake) = state.withLock { ($0.slot.put(publication), $0.wake) }
        wake()
        return number
    }

    package func clear() {
        state.withLock { $0.slot.clear() }
    }

    /// The number of the last message that the broker has acknowledged.
    package var arrived: UInt64 { state.withLock { $0.slot.arrived } }

    // MARK: - For the connection's thread

    /// Registers a connection, which is woken when there is something to send.
    package func connect(waking wake: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.wake = wake
            state.slot.rewind()
        }
    }

    /// The next message to send; nil for none.
    package func next() -> (number: UInt64, publication: Publication)? {
        state.withLock { $0.slot.next() }
    }

    package func acknowledge(_ number: UInt64) {
        state.withLock { $0.slot.acknowledge(number) }
    }

    /// Notes that the connection is lost: a message that the broker has not acknowledged is sent again.
    package func rewind() {
        state.withLock { $0.slot.rewind() }
    }
}

/// The message of a relay, and whether it is in flight.
package struct PublicationSlot: Sendable {
    private var publication: Publication?
    private var number: UInt64 = 0
    private var isUnderWay = false
    /// The number of the last message that was acknowledged.
    package private(set) var arrived: UInt64 = 0

    package init() {}

    package mutating func put(_ publication: Publication) -> UInt64 {
        self.publication = publication
        number += 1
        isUnderWay = false
        return number
    }

    package mutating func clear() {
        publication = nil
    }

    package mutating func next() -> (number: UInt64, publication: Publication)? {
        guard let publication, !isUnderWay else { return nil }
        isUnderWay = true
        return (number, publication)
    }

    package mutating func acknowledge(_ number: UInt64) {
        // Another message may have replaced it.
        guard number == self.number, publication != nil else { return }
        arrived = number
        publication = nil
    }

    package mutating func rewind() {
        isUnderWay = false
    }
}
