import Beacon

/// Beacons in the order of their remoteness, ties by identity. Unchanged entries are not touched: a few beacons are
/// moved in place, many are merged in one pass.
package struct RankedList: Sendable {
    /// A beacon and its position in the order.
    package struct Entry: Sendable {
        package var slot: Int32
        /// `Standing.remoteness`.
        package var remoteness: Remoteness
        package var beacon: RangedBeacon

        package init(slot: Int32, remoteness: Remoteness, beacon: RangedBeacon) {
            self.slot = slot
            self.remoteness = remoteness
            self.beacon = beacon
        }
    }

    package private(set) var beacons: [RangedBeacon] = []
    /// The slots of `beacons`, and their remotenesses.
    package private(set) var slots: [Int32] = []
    package private(set) var remotenesses: [Remoteness] = []
    /// By slot: the remoteness with which it is in the list; nil if it is not in it.
    private var listed: [Remoteness?] = []
    private var isChanged: [Bool] = []

    package init() {}

    package var count: Int { slots.count }

    /// The positions of a group.
    package func positions(of group: Remoteness.Group) -> Range<Int> {
        switch group {
        case .heard: 0..<start(of: .quiet)
        case .quiet: start(of: .quiet)..<start(of: .withoutLevel)
        case .withoutLevel: start(of: .withoutLevel)..<count
        }
    }

    /// The first position of a group or, if it is empty, of what follows it.
    private func start(of group: Remoteness.Group) -> Int {
        position(of: Remoteness(group, loss: -.infinity), nil)
    }

    /// Removes the changed slots from the list, and inserts the entries.
    package mutating func update(changed: [Int32], entries: [Entry]) {
        let slotCount = Int(changed.max() ?? -1) + 1
        if listed.count < slotCount {
            listed += Array(repeating: nil, count: slotCount - listed.count)
            isChanged += Array(repeating: false, count: slotCount - isChanged.count)
        }
        if changed.count <= 4 {
            move(changed, entries)
        } else {
            merge(changed, entries)
        }
    }

    // MARK: - A few

    private mutating func move(_ changed: [Int32], _ entries: [Entry]) {
        for slot in changed {
            let entry = entries.first { $0.slot == slot }
            let old = position(of: slot)
            if let old, let entry, isInOrder(entry, at: old) {
                remotenesses[old] = entry.remoteness
                beacons[old] = entry.beacon
                beacons[old].rank = old + 1
                listed[Int(slot)] = entry.remoteness
                continue
            }
            if let old {
                slots.remove(at: old)
                remotenesses.remove(at: old)
                beacons.remove(at: old)
                listed[Int(slot)] = nil
            }
            var first = old ?? slots.count
            var last = slots.count
            if let entry {
                let new = position(of: entry.remoteness, entry.beacon.id)
                slots.insert(slot, at: new)
                remotenesses.insert(entry.remoteness, at: new)
                beacons.insert(entry.beacon, at: new)
                listed[Int(slot)] = entry.remoteness
                last = old.map { max($0, new) + 1 } ?? slots.count
                first = min(first, new)
            }
            for index in first..<min(last, slots.count) {
                beacons[index].rank = index + 1
            }
        }
    }

    private func isInOrder(_ entry: Entry, at position: Int) -> Bool {
        let isAfter = position == 0 || isBefore(position - 1, entry)
        return isAfter && (position + 1 == slots.count || !isBefore(position + 1, entry))
    }

    private func isBefore(_ position: Int, _ entry: Entry) -> Bool {
        let remoteness = remotenesses[position]
        return remoteness != entry.remoteness ? remoteness < entry.remoteness : beacons[position].id < entry.beacon.id
    }

    /// The position of a slot; nil if it is not listed.
    private func position(of slot: Int32) -> Int? {
        guard let remoteness = listed[Int(slot)] else { return nil }
        var index = position(of: remoteness, nil)
        while index < slots.count, slots[index] != slot {
            index += 1
        }
        return index < slots.count ? index : nil
    }

    /// The first position that does not come before a remoteness and identity.
    private func position(of remoteness: Remoteness, _ id: BeaconID?) -> Int {
        var low = 0
        var high = slots.count
        while low < high {
            let middle = (low + high) / 2
            let isBefore =
                remotenesses[middle] != remoteness
                ? remotenesses[middle] < remoteness : id.map { beacons[middle].id < $0 } ?? false
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: - Many

    private mutating func merge(_ changed: [Int32], _ entries: [Entry]) {
        for slot in changed {
            isChanged[Int(slot)] = true
            listed[Int(slot)] = nil
        }
        let sorted = entries.indices.sorted { left, right in
            let (a, b) = (entries[left], entries[right])
            return a.remoteness != b.remoteness ? a.remoteness < b.remoteness : a.beacon.id < b.beacon.id
        }
        let old = (slots: slots, remotenesses: remotenesses, beacons: beacons)
        slots = []
        remotenesses = []
        beacons = []
        slots.reserveCapacity(old.slots.count + entries.count)
        remotenesses.reserveCapacity(old.slots.count + entries.count)
        beacons.reserveCapacity(old.slots.count + entries.count)
        var next = 0
        for index in old.slots.indices where !isChanged[Int(old.slots[index])] {
            while next < sorted.count, isBefore(entries[sorted[next]], old.remotenesses[index], old.beacons[index].id) {
                append(entries[sorted[next]])
                next += 1
            }
            slots.append(old.slots[index])
            remotenesses.append(old.remotenesses[index])
            beacons.append(old.beacons[index])
            beacons[slots.count - 1].rank = slots.count
        }
        for index in sorted[next...] {
            append(entries[index])
        }
        for slot in changed {
            isChanged[Int(slot)] = false
        }
    }

    private func isBefore(_ entry: Entry, _ remoteness: Remoteness, _ id: BeaconID) -> Bool {
        entry.remoteness != remoteness ? entry.remoteness < remoteness : entry.beacon.id < id
    }

    private mutating func append(_ entry: Entry) {
        slots.append(entry.slot)
        remotenesses.append(entry.remoteness)
        beacons.append(entry.beacon)
        beacons[slots.count - 1].rank = slots.count
        listed[Int(entry.slot)] = entry.remoteness
    }
}
