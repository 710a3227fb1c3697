package import Beacon

/// The tracks of at most `maximum` beacons, found by identity. When it is full, a new beacon replaces the one that has
/// been silent for longest. Finding, adding and removing take constant time.
package struct TrackTable: Sendable {
    /// In chunks, so that growing copies nothing and leaves no holes in memory.
    private var chunks: [[Track]] = []
    private static let chunkSize = 256
    private var used = 0
    private var slots: [BeaconID: Int32] = [:]
    private var free: [Int32] = []
    private var oldest: Int32 = -1
    private var newest: Int32 = -1
    /// If it is reduced below `count`, the surplus tracks stay until they are forgotten.
    package var maximum: Int

    package init(maximum: Int) {
        self.maximum = maximum
    }

    /// The number of tracks.
    package var count: Int { slots.count }

    /// The beacons, in no order.
    var ids: some Sequence<BeaconID> { slots.keys }

    /// The slot of a beacon; nil if it is not tracked.
    package func slot(of id: BeaconID) -> Int? {
        slots[id].map(Int.init)
    }

    package subscript(slot: Int) -> Track {
        _read { yield chunks[slot / Self.chunkSize][slot % Self.chunkSize] }
        _modify { yield &chunks[slot / Self.chunkSize][slot % Self.chunkSize] }
    }

    /// Adds a beacon that has no slot. Also returns the beacon that it replaced, if any.
    package mutating func add(_ track: Track) -> (slot: Int, forgotten: (id: BeaconID, wasAnnounced: Bool)?) {
        var forgotten: (id: BeaconID, wasAnnounced: Bool)?
        if slots.count >= maximum, oldest >= 0 {
            let slot = Int(oldest)
            forgotten = (self[slot].id, self[slot].isAnnounced)
            remove(slot)
        }
        let slot: Int
        if let reused = free.popLast() {
            slot = Int(reused)
            self[slot] = track
        } else {
            slot = used
            used += 1
            if slot % Self.chunkSize == 0 {
                chunks.append([])
                // A single visitor's few beacons do not need a whole chunk at once.
                if slot > 0 { chunks[chunks.count - 1].reserveCapacity(Self.chunkSize) }
            }
            chunks[chunks.count - 1].append(track)
        }
        slots[track.id] = Int32(truncatingIfNeeded: slot)
        link(slot)
        return (slot, forgotten)
    }

    /// Forgets the beacon in a used slot.
    package mutating func remove(_ slot: Int) {
        unlink(slot)
        slots[self[slot].id] = nil
        self[slot].isUsed = false
        free.append(Int32(truncatingIfNeeded: slot))
    }

    /// Makes a beacon the one that was received last.
    package mutating func touch(_ slot: Int) {
        guard newest != Int32(truncatingIfNeeded: slot) else { return }
        unlink(slot)
        link(slot)
    }

    private mutating func link(_ slot: Int) {
        let this = Int32(truncatingIfNeeded: slot)
        self[slot].older = newest
        self[slot].newer = -1
        if newest >= 0 {
            self[Int(newest)].newer = this
        } else {
            oldest = this
        }
        newest = this
    }

    private mutating func unlink(_ slot: Int) {
        let older = self[slot].older
        let newer = self[slot].newer
        if older >= 0 {
            self[Int(older)].newer = newer
        } else {
            oldest = newer
        }
        if newer >= 0 {
            self[Int(newer)].older = older
        } else {
            newest = older
        }
    }
}
