import Beacon
package import Fleet
package import Reports
import Rooms

/// Turns snapshots into stays: in which room a beacon was, from when to when. A stay is known by its beacon and its
/// beginning, which comes with the answer: after a restart the same one goes on.
package struct StayRecorder: Sendable {
    /// Stays that wait to be written. More are dropped, the oldest first.
    package static let mostWaiting = 20_000
    /// Seconds. A resolver that continues repeats what was, until this time has shown whether beacons are received.
    private static let proof = 15.0

    private var open: [BeaconID: RoomStay] = [:]
    /// The last time of which answers came, and when they began to come without a longer pause.
    private var last: Timestamp?
    private var resumed: Timestamp?
    private var waiting: [RoomStay] = []
    /// Stays that were dropped since the last `takeLost`.
    private var lost = 0

    package init() {}

    package mutating func take(_ snapshot: FleetSnapshot) {
        // A resolver that learns, or has no broker, repeats what was.
        guard snapshot.isConnected, snapshot.isAnswering, let second = snapshot.second else { return }
        let now = Timestamp(seconds: Double(second))
        resume(at: now)
        var seen: Set<BeaconID> = []
        for answer in snapshot.rooms {
            let since = Timestamp(seconds: Double(answer.since))
            guard let room = answer.room, since <= now, isProven(since, now) else {
                close(answer.beacon, at: since)
                continue
            }
            seen.insert(answer.beacon)
            let reported = ReportedRoom(name: room.name, floor: room.floor)
            if let before = open[answer.beacon], before.room != reported || before.span.lowerBound != since {
                close(answer.beacon, at: since)
            }
            open[answer.beacon] = RoomStay(beacon: answer.beacon, room: reported, span: since...now)
        }
        for beacon in open.keys where !seen.contains(beacon) { close(beacon, at: now) }
    }

    /// After a pause nobody knows what happened meanwhile: stays end before it, unless they go on after it.
    private mutating func resume(at now: Timestamp) {
        defer { last = now }
        if let last, now.seconds(since: last) <= Self.proof { return }
        resumed = now
        for beacon in Array(open.keys) { close(beacon, at: now) }
    }

    /// Whether a beacon that has been in its room since before the last pause is known to be there still. A beacon
    /// that is not received becomes unknown within the time.
    private func isProven(_ since: Timestamp, _ now: Timestamp) -> Bool {
        guard let resumed else { return true }
        return resumed.seconds(since: since) <= Self.proof || now.seconds(since: resumed) >= Self.proof
    }

    private mutating func close(_ beacon: BeaconID, at end: Timestamp) {
        guard var stay = open.removeValue(forKey: beacon) else { return }
        // What was known then was known: a stay does not become longer at its end.
        stay.span = stay.span.lowerBound...max(stay.span.lowerBound, min(stay.span.upperBound, end))
        waiting.append(stay)
        drop()
    }

    private mutating func drop() {
        let more = waiting.count - Self.mostWaiting
        guard more > 0 else { return }
        waiting.removeFirst(more)
        lost += more
    }

    /// What is to be written now: stays that have ended, and those that go on.
    package mutating func due() -> [RoomStay] {
        defer { waiting = [] }
        return waiting + open.values.sorted { $0.beacon < $1.beacon }
    }

    /// The number of stays that were dropped since the last call.
    package mutating func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }

    /// What could not be written.
    package mutating func putBack(_ stays: [RoomStay]) {
        // Those that go on are due again anyway.
        waiting = stays.filter { open[$0.beacon]?.span.lowerBound != $0.span.lowerBound } + waiting
        drop()
    }
}
