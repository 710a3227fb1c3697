package import Beacon
import DequeModule
import Synchronization

/// Passes sightings on to any number of readers. A slow reader loses its oldest sightings and does not delay the
/// others.
///
/// All readers share one bounded queue, and each has only a place in it. So a sighting is copied once, and the memory
/// does not grow with the number of readers.
package final class SightingBroadcast: Sendable {
    private struct Place {
        /// The number of the next sighting for this reader.
        var next: Int
        /// How many it has lost, up to `next`.
        var missed = 0
    }

    private struct State {
        var queue: Deque<Sighting> = []
        /// The most sightings in the queue since it was last emptied.
        var most = 0
        /// The number of the first sighting in the queue. They are numbered from the first one of the broadcast.
        var first = 0
        var places: [Int: Place] = [:]
        var lastReader = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

        /// The number of the next sighting that comes.
        var end: Int { first + queue.count }

        mutating func add(_ sightings: [Sighting], capacity: Int) {
            removeRead()
            let new = sightings.suffix(capacity)
            let excess = max(0, queue.count + new.count - capacity)
            queue.removeFirst(excess)
            first += excess + sightings.count - new.count
            queue.append(contentsOf: new)
            most = max(most, queue.count)
        }

        /// Frees what every reader has had, and the memory that only a slow one needed.
        mutating func removeRead() {
            let read = (places.values.lazy.map(\.next).min() ?? end) - first
            guard read > 0 else { return }
            first += read
            if read == queue.count {
                queue.removeAll(keepingCapacity: most <= keptRoom)
                most = 0
            } else {
                queue.removeFirst(read)
            }
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// The capacity that is kept when the queue is emptied: half a second of heavy traffic.
    private static let keptRoom = 8192

    /// - Parameter capacity: how many sightings a reader may be behind. The default needs 4 MiB for all readers
    ///   together, when one is that slow.
    package init(capacity: Int = 65_536) {
        self.capacity = max(1, capacity)
    }

    /// A reader of the sightings from now on.
    package func open() -> SightingReader {
        let id = state.withLock { state in
            state.lastReader += 1
            state.places[state.lastReader] = Place(next: state.end)
            return state.lastReader
        }
        return SightingReader(self, id)
    }

    /// Never blocks, and takes as long for a slow reader as for a fast one.
    package func push(_ sightings: [Sighting]) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard !sightings.isEmpty, !state.places.isEmpty else { return [] }
            state.add(sightings, capacity: capacity)
            defer { state.waiting.removeAll(keepingCapacity: true) }
            return Array(state.waiting.values)
        }
        for reader in waiting { reader.resume() }
    }

    /// How many sightings are kept for readers now.
    package var kept: Int { state.withLock { $0.queue.count } }

    /// How many readers wait for a sighting now.
    package var waitingReaders: Int { state.withLock { $0.waiting.count } }

    fileprivate func close(_ id: Int) {
        let waiting = state.withLock { state in
            state.places[id] = nil
            if state.places.isEmpty {
                state.first = state.end
                state.queue = []
                state.most = 0
            }
            return state.waiting.removeValue(forKey: id)
        }
        waiting?.resume()
    }

    fileprivate func missed(by id: Int) -> Int {
        state.withLock { state in
            state.places[id].map { $0.missed + max(0, state.first - $0.next) } ?? 0
        }
    }

    /// The reader's next sightings, possibly none; nil if it is closed.
    fileprivate func take(_ id: Int, atMost most: Int) -> [Sighting]? {
        state.withLock { state in
            guard var place = state.places[id] else { return nil }
            place.missed += max(0, state.first - place.next)
            let start = max(0, place.next - state.first)
            let end = start + min(most, state.queue.count - start)
            place.next = state.first + end
            state.places[id] = place
            return Array(state.queue[start..<end])
        }
    }

    /// Suspends until there is a sighting for the reader, it is closed, or the task is cancelled.
    fileprivate func wait(_ id: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard let place = state.places[id], place.next >= state.end, !Task.isCancelled else { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }
}

/// A reader of a broadcast, and its place there. One task reads.
package final class SightingReader: Sendable {
    private let broadcast: SightingBroadcast
    private let id: Int

    fileprivate init(_ broadcast: SightingBroadcast, _ id: Int) {
        self.broadcast = broadcast
        self.id = id
    }

    deinit {
        close()
    }

    /// Sightings lost because this reader was too slow.
    package var missed: Int { broadcast.missed(by: id) }

    /// The next sightings: at least one, and at most so many. Suspends until there is one; nil if the reader is closed
    /// or the task is cancelled.
    package func next(atMost most: Int) async -> [Sighting]? {
        while !Task.isCancelled {
            guard let sightings = broadcast.take(id, atMost: max(1, most)) else { return nil }
            guard sightings.isEmpty else { return sightings }
            await broadcast.wait(id)
        }
        return nil
    }

    /// Nothing more is read.
    package func close() {
        broadcast.close(id)
    }
}
