import Beacon
import Ranging
import Testing

@Suite("Remoteness")
struct RemotenessTests {
    @Test("what is heard comes before what has gone quiet, and that before what has no level, whatever the losses")
    func groups() {
        let order = [
            Remoteness(.heard, loss: -200), Remoteness(.heard, loss: 1e9), Remoteness(.quiet, loss: -1e9),
            Remoteness(.quiet, loss: 30), Remoteness(.quiet, loss: 30.000_000_000_001), Remoteness(.withoutLevel),
        ]
        for (left, first) in order.enumerated() {
            for (right, second) in order.enumerated() {
                #expect((first < second) == (left < right) && (first == second) == (left == right))
            }
        }
    }
}

@Suite("The list in the order of ranks")
struct RankedListTests {
    private func entry(_ slot: Int32, _ remoteness: Remoteness, minor: UInt16? = nil) -> RankedList.Entry {
        RankedList.Entry(
            slot: slot, remoteness: remoteness,
            beacon: RangedBeacon(
                rank: 0, id: beacon(minor ?? UInt16(slot)), rssi: nil, filteredRSSI: remoteness.loss,
                measuredPower: -59, distance: nil, proximity: .unknown, lastSeen: Timestamp(microseconds: 0),
                count: 1))
    }

    private func isConsistent(_ list: RankedList) -> Bool {
        list.count == list.beacons.count && list.count == list.slots.count && list.count == list.remotenesses.count
            && list.beacons.map(\.rank) == Array(1..<(list.count + 1))
    }

    @Test("is in the order of remoteness, ties by identity, with ranks from 1")
    func order() {
        var list = RankedList()
        #expect(isConsistent(list))
        list.update(
            changed: [0, 1, 2, 3],
            entries: [
                entry(0, Remoteness(.quiet, loss: 10)), entry(1, Remoteness(.heard, loss: 50)),
                entry(2, Remoteness(.heard, loss: 40), minor: 9), entry(3, Remoteness(.heard, loss: 40), minor: 8),
            ])
        #expect(list.slots == [3, 2, 1, 0])
        #expect(isConsistent(list))
    }

    @Test("knows where each group is, empty ones too")
    func groups() {
        var list = RankedList()
        for group in [Remoteness.Group.heard, .quiet, .withoutLevel] { #expect(list.positions(of: group).isEmpty) }
        list.update(
            changed: [0, 1, 2],
            entries: [
                entry(0, Remoteness(.withoutLevel)), entry(1, Remoteness(.heard, loss: -300)),
                entry(2, Remoteness(.heard, loss: 20_000)),
            ])
        #expect(list.positions(of: .heard) == 0..<2)
        #expect(list.positions(of: .quiet) == 2..<2)
        #expect(list.positions(of: .withoutLevel) == 2..<3)
    }

    @Test("a slot without an entry leaves, and may come back as another beacon")
    func leaves() {
        var list = RankedList()
        list.update(changed: [0, 1], entries: [0, 1].map { entry($0, Remoteness(.heard, loss: Double($0))) })
        list.update(changed: [0], entries: [])
        #expect(list.slots == [1] && isConsistent(list))
        // Twice is once.
        list.update(changed: [0], entries: [])
        #expect(list.slots == [1] && isConsistent(list))
        list.update(changed: [0], entries: [entry(0, Remoteness(.heard, loss: 9), minor: 77)])
        #expect(list.beacons.map(\.id.minor) == [1, 77] && isConsistent(list))
    }

    /// A few are moved in place and many are merged in: both must give what sorting gives.
    @Test("is what sorting gives, after every change of few and of many", arguments: [1, 2, 3, 4] as [UInt64])
    func model(_ seed: UInt64) {
        var noise = SeededNoise(seed: seed)
        var list = RankedList()
        var model: [Int32: RankedList.Entry] = [:]
        for _ in 0..<1_500 {
            let most = Bool.random(using: &noise) ? 4 : 40
            let changed = Set((0..<Int.random(in: 0...most, using: &noise)).map { _ in
                Int32.random(in: 0..<60, using: &noise)
            })
            var entries: [RankedList.Entry] = []
            for slot in changed {
                model[slot] = nil
                guard Int.random(in: 0..<4, using: &noise) > 0 else { continue }
                // Few losses, so that many are the same.
                let loss = Double(Int.random(in: 30..<40, using: &noise))
                let remoteness = [
                    Remoteness(.heard, loss: loss), Remoteness(.heard, loss: loss), Remoteness(.quiet, loss: loss),
                    Remoteness(.withoutLevel),
                ].randomElement(using: &noise) ?? Remoteness(.withoutLevel)
                let new = entry(slot, remoteness, minor: UInt16(slot) + 100 * UInt16.random(in: 0..<3, using: &noise))
                entries.append(new)
                model[slot] = new
            }
            list.update(changed: Array(changed), entries: entries)
            let expected = model.values.sorted {
                $0.remoteness != $1.remoteness ? $0.remoteness < $1.remoteness : $0.beacon.id < $1.beacon.id
            }
            guard list.slots == expected.map(\.slot), list.remotenesses == expected.map(\.remoteness),
                list.beacons.map(\.id) == expected.map(\.beacon.id), isConsistent(list)
            else {
                Issue.record("differs after \(changed)")
                return
            }
        }
        #expect(!model.isEmpty)
    }
}
