package import Beacon
import DequeModule
import Synchronization

/// The queue between radios and ranging: sightings from any number of threads, taken in batches by one reader.
///
/// It is bounded: if the reader is too slow, the oldest sightings are dropped and counted.
package final class SightingFeed: Sendable {
    private struct State {
        var queue: Deque<Sighting> = []
        var dropped = 0
        var isFinished = false
        /// Whether the next wait ends at once.
        var isWoken = false
        var reader: CheckedContinuation<Void, Never>?

        /// Empties the queue, and frees the memory that only a flood needed.
        mutating func takeAll() -> [Sighting] {
            defer { queue.removeAll(keepingCapacity: queue.count <= keptRoom) }
            return Array(queue)
        }

        /// The waiting reader, to be resumed; nil if it does not wait.
        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// The capacity that is kept when the queue is emptied: half a second of heavy traffic.
    private static let keptRoom = 8192

    /// - Parameter capacity: in sightings. The default allows 100,000 a second if they are taken every half second, and
    ///   needs 4 MiB when it is full.
    package init(capacity: Int = 65_536) {
        self.capacity = max(1, capacity)
    }

    /// Sightings lost because the reader was too slow.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Adds one sighting. Never blocks.
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

    /// No more sightings will come. Those in the queue can still be taken.
    package func finish() {
        state.withLock { $0.isFinished = true }
        endWait()
    }

    /// All waiting sightings, at least one; nil at the end or if the task is cancelled. Only one reader at a time.
    package func nextBatch() async -> [Sighting]? {
        await somethingWaits()
        return state.withLock { state in
            state.queue.isEmpty ? nil : state.takeAll()
        }
    }

    /// Ends the reader's current wait, or its next one, even if there is no sighting.
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

    /// Suspends until there is a sighting, no more will come, the task is cancelled, or `wakeReader` is called. Only
    /// one reader at a time.
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

    /// The waiting sightings, possibly none; nil if no more will come.
    package func takeWaiting() -> [Sighting]? {
        state.withLock { state in
            state.queue.isEmpty && state.isFinished ? nil : state.takeAll()
        }
    }
}
