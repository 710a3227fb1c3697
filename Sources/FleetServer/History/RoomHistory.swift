import Beacon
package import Fleet
import History
import Platform
import Reports
import Text

/// Keeps the stays of all beacons in a folder, once a minute, on a thread of its own.
package struct RoomHistory: Sendable {
    private let hub: FleetHub
    private let folder: String
    private let days: Int
    private let tell: @Sendable (String) -> Void

    /// Between writings.
    private static let interval = Duration.seconds(60)

    /// - Parameters:
    ///   - days: for how long stays are kept.
    ///   - tell: is given what people should know.
    package init(_ hub: FleetHub, folder: String, days: Int, tell: @escaping @Sendable (String) -> Void) {
        self.hub = hub
        self.folder = folder
        self.days = days
        self.tell = tell
    }

    /// Records until it is cancelled, and then writes what is left. It never fails: a full disk must not end the
    /// resolver.
    package func run() async {
        let disk = RoomDisk(folder: folder, days: days)
        var (due, troubled) = (ContinuousClock.now, false)
        let subscription = hub.subscribe()
        while let batch = await subscription.next() {
            await disk.take(batch.snapshot)
            guard ContinuousClock.now >= due else { continue }
            due = .now + Self.interval
            await write(disk, &troubled)
        }
        await write(disk, &troubled)
        await disk.close()
    }

    private func write(_ disk: RoomDisk, _ troubled: inout Bool) async {
        do throws(HistoryError) {
            if let moved = try await disk.write(at: WallClock.now) {
                tell(HistoryDatabase.notice(of: RoomStore.file(in: folder), movedTo: moved))
            }
            try await disk.tidy(at: WallClock.now)
            let lost = await disk.takeLost()
            if lost > 0 {
                tell("the history of rooms is written again: \(counted(lost, "stay")) could not be kept until then")
            } else if troubled {
                tell("the history of rooms is written again")
            }
            troubled = false
        } catch {
            if !troubled { tell("the history of rooms cannot be written: \(error)") }
            troubled = true
        }
    }
}

/// What is recorded, and its database, on a thread of its own: `fsync` may take a second, and many beacons some
/// milliseconds.
private final class RoomDisk: Sendable {
    private struct Contents {
        var recorder = StayRecorder()
        var dwell = DwellMap()
        var newest: FleetSnapshot?
        var database: MendedStore<RoomStore>
        var clock: RetentionClock?
    }

    private let days: Int
    private let queue: BlockingQueue<Contents>

    /// Portions that are removed at a time, so that the next writing does not wait long.
    private static let mostPortions = 20

    init(folder: String, days: Int) {
        self.days = days
        queue = BlockingQueue(
            "beacon-fleet.history",
            Contents(
                database: MendedStore(RoomStore.file(in: folder)) { () throws(HistoryError) in
                    try RoomStore(folder: folder)
                }))
    }

    func take(_ snapshot: FleetSnapshot) async {
        await queue.run { contents in
            contents.recorder.take(snapshot)
            contents.dwell.take(snapshot)
            contents.newest = snapshot
        }
    }

    /// Opens the database where that is still to be done, and writes everything or nothing.
    ///
    /// - Returns: where a damaged database was moved; nil if there was none.
    func write(at now: Timestamp) async throws(HistoryError) -> String? {
        try await queue.run { [days] contents throws(HistoryError) in
            let (stays, cells) = (contents.recorder.due(), contents.dwell.due())
            // Without the broker nobody knows whether a problem lasts.
            let problems = contents.newest.map { $0.isConnected ? $0.health.problems(at: $0.time) : [] } ?? []
            var clock = contents.clock
            do throws(HistoryError) {
                try contents.database.use { store throws(HistoryError) in
                    // By what was there before: the machine's clock may be wrong now.
                    if clock == nil {
                        clock = RetentionClock(
                            days: days, newest: try store.newest(),
                            settled: try store.newest(upTo: RetentionClock.settledEnd(at: now)))
                    }
                    try store.write(stays, dwell: cells, problems: problems)
                }
            } catch {
                contents.recorder.putBack(stays)
                contents.dwell.putBack(cells)
                throw error
            }
            contents.clock = clock
            return contents.database.takeMoved()
        }
    }

    /// The number of stays that were dropped since the last call, because too many waited to be written.
    func takeLost() async -> Int {
        await queue.run { $0.recorder.takeLost() }
    }

    /// Removes what is too old or too much.
    func tidy(at now: Timestamp) async throws(HistoryError) {
        try await queue.run { contents throws(HistoryError) in
            let cutoff = contents.clock?.cutoff(at: now)
            try contents.database.use { store throws(HistoryError) in
                var portions = 0
                while portions < Self.mostPortions, try store.tidyPortion(before: cutoff) { portions += 1 }
            }
        }
    }

    func close() async {
        await queue.run { $0.database.close() }
    }
}
