import Synchronization

/// One message at a time that another part of the program sends over a connection, until the broker has it.
///
/// It outlives connections, and the part that has them.
package final class PublicationRelay: Sendable {
    private struct State {
        var slot = PublicationSlot()
        var wake: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: - For who sends

    /// Replaces what was put there before.
    ///
    /// - Returns: the number by which its arrival is known.
    package func put(_ publication: Publication) -> UInt64 {
        let (number, wake) = state.withLock { ($0.slot.put(publication), $0.wake) }
        wake()
        return number
    }

    package func clear() {
        state.withLock { $0.slot.clear() }
    }

    /// The number of the last message that the broker has.
    package var arrived: UInt64 { state.withLock { $0.slot.arrived } }

    // MARK: - For the connection's thread

    /// From now on this connection is woken where there is something to send.
    package func connect(waking wake: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.wake = wake
            state.slot.rewind()
        }
    }

    /// What to send now; nil for nothing.
    package func next() -> (number: UInt64, publication: Publication)? {
        state.withLock { $0.slot.next() }
    }

    package func acknowledge(_ number: UInt64) {
        state.withLock { $0.slot.acknowledge(number) }
    }

    /// The connection is lost: what the broker has not acknowledged is sent again.
    package func rewind() {
        state.withLock { $0.slot.rewind() }
    }
}

/// The message of a relay, and whether it is under way.
package struct PublicationSlot: Sendable {
    private var publication: Publication?
    private var number: UInt64 = 0
    private var isUnderWay = false
    /// The number of the last message that has arrived.
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
        // Another one may be there by now.
        guard number == self.number, publication != nil else { return }
        arrived = number
        publication = nil
    }

    package mutating func rewind() {
        isUnderWay = false
    }
}
