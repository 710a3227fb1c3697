import Beacon
import Events
import Hooks
import Ranging
import Testing

@Suite("Events that wait for their commands")
struct HookQueueTests {
    private func beacon(_ minor: Int) -> BeaconID {
        BeaconID(uuid: ProximityUUID(7), major: 1, minor: UInt16(truncatingIfNeeded: minor))
    }

    private func batch(_ events: [DaemonEvent], missed: Int = 0) -> EventBatch {
        var batch = EventBatch()
        batch.records = events.enumerated().map {
            EventRecord(id: UInt64($0), time: Timestamp(microseconds: 0), event: $1)
        }
        batch.missed = missed
        return batch
    }

    @Test("a flood is summarised, and another nearest beacon in it has its command")
    func floodIsSummarised() {
        var queue = HookQueue(kinds: ["entered", "nearest"], capacity: 500)
        var events: [DaemonEvent] = []
        for number in 0..<3000 {
            events.append(.ranging(.entered(beacon(number))))
            if number % 100 == 0 { events.append(.ranging(.nearest(beacon(number), previous: nil))) }
        }
        let left = queue.add(batch(events), at: 0) { _ in false }
        #expect(left == 2900)
        var kinds: [String] = []
        while let record = queue.next() { kinds.append(record.event.kind) }
        #expect(kinds.filter { $0 == "nearest" }.count == 30)
        #expect(kinds.filter { $0 == "entered" }.count == 100)
        #expect(queue.lines(at: 10) == ["hooks    2900 more entered events in the last 10 s are left out"])
        #expect(queue.lines(at: 20).isEmpty)
    }

    @Test("events that other hooks have read are not for these")
    func othersHaveRead() {
        var queue = HookQueue(kinds: ["entered"], after: 1)
        let left = queue.add(batch((0..<4).map { .ranging(.entered(beacon($0))) }), at: 0) { _ in false }
        let first = queue.next()
        #expect(left == 0 && first?.id == 2 && queue.count == 1)
    }

    @Test("where commands take too long, what can come in any number goes first")
    func whereCommands() {
        var queue = HookQueue(kinds: ["entered", "nearest"], capacity: 50)
        _ = queue.add(batch([.ranging(.nearest(beacon(1), previous: nil))]), at: 0) { _ in true }
        let left = queue.add(batch((0..<200).map { .ranging(.entered(beacon($0))) }), at: 0) { _ in true }
        #expect(left == 151 && queue.count == 50)
        #expect(queue.next()?.event.kind == "nearest")
        #expect(queue.next()?.event.beacon == beacon(151))
        #expect(queue.lines(at: 0) == ["hooks    151 events are left out: the commands take too long"])
    }

    @Test("what the hub had lost is counted too, and told now and then only")
    func whatHub() {
        var queue = HookQueue(kinds: ["entered"])
        #expect(queue.add(batch([], missed: 7), at: 0) { _ in true } == 7)
        #expect(queue.lines(at: 0).count == 1)
        _ = queue.add(batch([], missed: 3), at: 1) { _ in true }
        #expect(queue.lines(at: 1).isEmpty)
        #expect(queue.lines(at: 11) == ["hooks    3 events are left out: the commands take too long"])
    }

    @Test("what still waits at the end is counted by kind, and is gone then")
    func givenUp() {
        var queue = HookQueue(kinds: ["entered", "nearest"])
        let events: [DaemonEvent] = [
            .ranging(.entered(beacon(1))), .ranging(.nearest(beacon(1), previous: nil)), .ranging(.exited(beacon(1))),
            .ranging(.entered(beacon(2))),
        ]
        _ = queue.add(batch(events), at: 0) { _ in true }
        let progress = HookProgress()
        progress.leave(queue.handOver())
        let left = progress.giveUp()
        #expect(left.count == 3)
        #expect(
            left.lines == [
                "hooks    2 events were not passed to the hook entered: stopped",
                "hooks    1 event was not passed to the hook nearest: stopped",
            ])
        #expect(queue.next() == nil && progress.giveUp().lines.isEmpty)
    }

    @Test("what waited for former hooks comes first, and what has no command any more is told")
    func takenOver() {
        var former = HookQueue(kinds: ["entered", "exited", "nearest"])
        let events: [DaemonEvent] = [
            .ranging(.entered(beacon(1))), .ranging(.nearest(beacon(1), previous: nil)), .ranging(.exited(beacon(1))),
            .ranging(.entered(beacon(2))),
        ]
        let all = batch(events + [.ranging(.entered(beacon(3)))])
        var read = all
        read.records.removeLast()
        _ = former.add(read, at: 0) { _ in true }
        #expect(former.next()?.id == 0)
        let waiting = former.handOver()
        #expect(former.next() == nil)

        var queue = HookQueue(kinds: ["entered", "exited"], after: 3)
        let removed = queue.takeOver(waiting)
        #expect(removed.count == 1)
        #expect(removed.lines == ["hooks    1 event was not passed to the hook nearest: it was removed"])
        _ = queue.add(all, at: 0) { _ in true }
        var ids: [EventRecord.ID] = []
        while let record = queue.next() { ids.append(record.id) }
        #expect(ids == [2, 3, 4])
    }
}
