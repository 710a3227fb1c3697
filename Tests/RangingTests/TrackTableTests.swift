import Beacon
import Ranging
import Testing

@Suite("The table of tracks")
struct TrackTableTests {
    private func track(_ minor: UInt16) -> Track {
        Track(
            id: beacon(minor), at: Timestamp(microseconds: 0), source: 0,
            correction: AppliedCorrection(beacon(minor), settings: RangingSettings()))
    }

    @Test("finds a beacon by its identity until it is removed, and uses its slot again")
    func finds() throws {
        var table = TrackTable(maximum: 10)
        #expect(table.slot(of: beacon(1)) == nil && table.count == 0)
        let first = table.add(track(1)).slot
        let second = table.add(track(2)).slot
        #expect(first != second && table.count == 2)
        #expect(table.slot(of: beacon(1)) == first && table[first].id == beacon(1))
        table.remove(first)
        #expect(table.slot(of: beacon(1)) == nil && table.count == 1 && !table[first].isUsed)
        #expect(table.add(track(3)).slot == first)
        #expect(table[first].id == beacon(3) && table[first].isUsed)
    }

    @Test("when it is full, who was not heard for longest makes room, and is named")
    func full() {
        var table = TrackTable(maximum: 3)
        let slots = (1...3).map { table.add(track($0)).slot }
        table[slots[1]].isAnnounced = true
        table.touch(slots[0])
        // 2 is now the oldest, then 3, then 1.
        let fourth = table.add(track(4))
        #expect(fourth.forgotten?.id == beacon(2) && fourth.forgotten?.wasAnnounced == true)
        let fifth = table.add(track(5))
        #expect(fifth.forgotten?.id == beacon(3) && fifth.forgotten?.wasAnnounced == false)
        #expect(table.count == 3)
        #expect(table.add(track(6)).forgotten?.id == beacon(1))
    }

    @Test("a maximum that is lowered forgets one for each that comes, and none before")
    func lowered() {
        var table = TrackTable(maximum: 5)
        for minor in UInt16(1)...5 { _ = table.add(track(minor)) }
        table.maximum = 2
        #expect(table.count == 5)
        #expect(table.add(track(6)).forgotten?.id == beacon(1))
        #expect(table.count == 5)
    }

    @Test("is what a list in the order of hearing gives, over more beacons than fit in one piece", arguments: [5, 6])
    func model(_ seed: UInt64) {
        var noise = SeededNoise(seed: seed)
        var table = TrackTable(maximum: 600)
        // The oldest first.
        var order: [UInt16] = []
        for step in 0..<20_000 {
            let minor = UInt16.random(in: 0..<900, using: &noise)
            if let slot = table.slot(of: beacon(minor)) {
                guard order.contains(minor), table[slot].id == beacon(minor), table[slot].isUsed else {
                    Issue.record("knows \(minor) at step \(step)")
                    return
                }
                order.removeAll { $0 == minor }
                if Int.random(in: 0..<10, using: &noise) == 0 {
                    table.remove(slot)
                } else {
                    table.touch(slot)
                    order.append(minor)
                }
            } else {
                let oldest = order.count >= 600 ? order.removeFirst() : nil
                let forgotten = table.add(track(minor)).forgotten
                guard !order.contains(minor), forgotten?.id == oldest.map(beacon) else {
                    Issue.record("forgets \(String(describing: forgotten)) at step \(step)")
                    return
                }
                order.append(minor)
            }
            guard table.count == order.count else {
                Issue.record("counts \(table.count) at step \(step)")
                return
            }
        }
        #expect(order.count > 500)
    }
}
