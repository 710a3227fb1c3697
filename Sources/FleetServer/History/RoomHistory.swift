import Beacon
package import Fleet
import History
import Platform
import Reports

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
        var (recorder, dwell) = (StayRecorder(), DwellMap())
        var newest: FleetSnapshot?
        var (due, troubled) = (ContinuousClock.now, false)
        let subscription = hub.subscribe()
        while let batch = await subscription.next() {
            recorder.take(batch.snapshot)
            dwell.take(batch.snapshot)
            newest = batch.snapshot
            guard ContinuousClock.now >= due else { continue }
            due = .now + Self.interval
            await write(&recorder, &dwell, newest, disk, &troubled)
        }
        await write(&recorder, &dwell, newest, disk, &troubled)
        await disk.close()
    }

    private func write(
        _ recorder: inout StayRecorder, _ dwell: inout DwellMap, _ newest: FleetSnapshot?, _ disk: RoomDisk,
        _ troubled: inout Bool
    ) async {
        let (stays, cells) = (recorder.due(), dwell.due())
        // Without the broker nobody knows whether a problem lasts.
        let problems = newest.map { $0.isConnected ? $0.health.problems(at: $0.time) : [] } ?? []
        do throws(HistoryError) {
            if let moved = try await disk.write(stays, cells, problems, at: WallClock.now) {
                tell("the history of rooms was damaged: it is at \(moved) now, and a new one has begun")
            }
            if troubled { tell("the history of rooms is written again") }
            troubled = false
        } catch {
            recorder.putBack(stays)
            dwell.putBack(cells)
            if !troubled { tell("the history of rooms cannot be written: \(error)") }
            troubled = true
        }
    }
}

/// The database on its own thread: `fsync` may take a second.
private final class RoomDisk: Sendable {
    private struct Contents {
        var store: RoomStore?
        var clock: RetentionClock?
        var isDamaged = false
    }

    private let folder: String
    private let days: Int
    private let queue = BlockingQueue("beacon-fleet.history", Contents())

    /// Portions that are removed at a time, so that the next writing does not wait long.
    private static let mostPortions = 20

    init(folder: String, days: Int) {
        self.folder = folder
        self.days = days
    }

    /// Opens the database where that is still to be done, writes, and removes what is too old.
    ///
    /// - Returns: where a damaged database was moved; nil if there was none.
    func write(
        _ stays: [RoomStay], _ dwell: [DwellMap.Cell: Int64], _ problems: [ReportedProblem], at now: Timestamp
    ) async throws(HistoryError) -> String? {
        try await queue.run { contents throws(HistoryError) in
            var moved: String?
            let store: RoomStore
            if let opened = contents.store {
                store = opened
            } else {
                store = try RoomStore(folder: self.folder, isDamaged: contents.isDamaged)
                moved = store.movedAside
                contents.isDamaged = false
                contents.clock = RetentionClock(days: self.days, newest: try store.newest())
                contents.store = store
            }
            do throws(HistoryError) {
                try store.write(stays, dwell: dwell, problems: problems)
                let cutoff = contents.clock?.cutoff(at: now)
                var portions = 0
                while portions < Self.mostPortions, try store.tidyPortion(before: cutoff) { portions += 1 }
            } catch {
                // The next attempt opens it again, and moves it aside where it is damaged.
                if error.code == .damaged {
                    store.close()
                    (contents.store, contents.isDamaged) = (nil, true)
                }
                throw error
            }
            return moved
        }
    }

    func close() async {
        await queue.run { contents in
            contents.store?.close()
            contents.store = nil
        }
    }
}
