package import Beacon
import DequeModule
import Synchronization

/// What lies between radios and ranging: sightings from any number of threads, taken in batches by one reader.
///
/// Bounded: when the reader is slower than the air, the oldest sightings are dropped and counted.
package final class SightingFeed: Sendable {
    private struct State {
        var queue: Deque<Sighting> = []
        var dropped = 0
        var isFinished = false
        /// The next wait ends at once.
        var isWoken = false
        var reader: CheckedContinuation<Void, Never>?

        /// Empties the queue. The memory of a flood is given back.
        mutating func takeAll() -> [Sighting] {
            defer { queue.removeAll(keepingCapacity: queue.count <= keptRoom) }
            return Array(queue)
        }

        /// The reader, if it waits: to be resumed.
        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// Room that is kept when the queue was emptied: what comes in half a second on a busy air.
    private static let keptRoom = 8192

    /// - Parameter capacity: sightings; the default takes 100,000 a second where they are taken every half second, and
    ///   is 4 MiB when it is full.
    package init(capacity: Int = 65_536) {
        self.capacity = max(1, capacity)
    }

    /// Sightings lost because the reader was too slow.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Takes one sighting in. Never blocks.
    package func push(_ sighting: borrowing Sighting) {
        let sighting = copy sighting
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.queue.count >= capacity {
                state.queue.removeFirst()
                state.dropped += 1
            }
            state.queue.append(sighting)
            return state.takeReader()
        }
        reader?.resume()
    }

    /// No more will come; what is in the queue is still given.
    package func finish() {
        state.withLock { $0.isFinished = true }
        endWait()
    }

    /// All sightings that wait now, at least one; nil at the end or when the task is cancelled. One reader at a time.
    package func nextBatch() async -> [Sighting]? {
        await somethingWaits()
        return state.withLock { state in
            state.queue.isEmpty ? nil : state.takeAll()
        }
    }

    /// Ends the wait of the reader although no sighting waits, or its next one.
    package func wakeReader() {
        let reader = state.withLock { state in
            state.isWoken = state.reader == nil
            return state.takeReader()
        }
        reader?.resume()
    }

    private func endWait() {
        state.withLock { $0.takeReader() }?.resume()
    }

    /// Suspends until a sighting waits, no more will come, the task is cancelled, or `wakeReader`. One reader at a
    /// time.
    package func somethingWaits() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    let isReady = !state.queue.isEmpty || state.isFinished || state.isWoken || Task.isCancelled
                    if !isReady { state.reader = continuation }
                    state.isWoken = false
                    return isReady
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            endWait()
        }
    }

    /// Whether a sighting waits.
    package var isWaiting: Bool { state.withLock { !$0.queue.isEmpty } }

    /// What waits now, possibly nothing; nil when no more will come.
    package func takeWaiting() -> [Sighting]? {
        state.withLock { state in
            state.queue.isEmpty && state.isFinished ? nil : state.takeAll()
        }
    }
}
