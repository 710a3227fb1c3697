import Beacon

/// The tracks of all beacons, found by identity, at most `maximum` of them. When it is full, the beacon that was not
/// heard for longest makes room. Finding, adding and forgetting cost the same for any number.
struct TrackTable {
    private(set) var tracks: [Track] = []
    private var slots: [BeaconID: Int32] = [:]
    private var free: [Int32] = []
    private var oldest: Int32 = -1
    private var newest: Int32 = -1
    private let maximum: Int

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Tracks held.
    var count: Int { slots.count }

    /// The slot of a beacon; nil where it is not tracked.
    func slot(of id: BeaconID) -> Int? {
        slots[id].map(Int.init)
    }

    /// All slots, used or not.
    var indices: Range<Int> { tracks.indices }

    subscript(slot: Int) -> Track {
        get { tracks[slot] }
        _modify { yield &tracks[slot] }
    }

    /// A slot for a beacon that has none. Where another beacon had to make room for it, that one is returned too.
    mutating func add(_ id: BeaconID, at time: Timestamp) -> (slot: Int, forgotten: Track?) {
        var forgotten: Track?
        if slots.count >= maximum, oldest >= 0 {
            let slot = Int(oldest)
            forgotten = tracks[slot]
            remove(slot)
        }
        let slot: Int
        if let reused = free.popLast() {
            slot = Int(reused)
            tracks[slot] = Track(id: id, at: time)
        } else {
            slot = tracks.count
            tracks.append(Track(id: id, at: time))
        }
        slots[id] = Int32(truncatingIfNeeded: slot)
        link(slot)
        return (slot, forgotten)
    }

    /// Forgets the beacon in a used slot.
    mutating func remove(_ slot: Int) {
        unlink(slot)
        slots[tracks[slot].id] = nil
        tracks[slot].isUsed = false
        free.append(Int32(truncatingIfNeeded: slot))
    }

    /// Makes a beacon the one that was heard last.
    mutating func touch(_ slot: Int) {
        guard newest != Int32(truncatingIfNeeded: slot) else { return }
        unlink(slot)
        link(slot)
    }

    private mutating func link(_ slot: Int) {
        let this = Int32(truncatingIfNeeded: slot)
        tracks[slot].older = newest
        tracks[slot].newer = -1
        if newest >= 0 {
            tracks[Int(newest)].newer = this
        } else {
            oldest = this
        }
        newest = this
    }

    private mutating func unlink(_ slot: Int) {
        let older = tracks[slot].older
        let newer = tracks[slot].newer
        if older >= 0 {
            tracks[Int(older)].newer = newer
        } else {
            oldest = newer
        }
        if newer >= 0 {
            tracks[Int(newer)].older = older
        } else {
            newest = older
        }
    }
}
