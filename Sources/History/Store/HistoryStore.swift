import Beacon
import GRDB
package import Settings
import Synchronization

/// The database of the history. Every method blocks its thread while the disk works.
///
/// Write-ahead log with `synchronous=FULL`: written data survive a crash of the machine
/// (sqlite.org/pragma.html#pragma_synchronous). With one transaction per minute that costs one fsync per minute.
package final class HistoryStore: HistoryFile, Sendable {
    package let settings: HistorySettings
    /// Where a damaged database was moved when this one was opened; nil if there was none.
    package let movedAside: String?
    let queue: DatabaseQueue
    /// The number of this run. With it, the numbers of spans are unique.
    let run: Int
    let beacons = Mutex(BeaconRows())
    /// The daemon is ending: all work in the database must stop.
    private let isStopping = Atomic(false)
    private let isClosed = Mutex(false)
    /// The database was too large, and is being reduced until there is some room.
    let isShrinking = Atomic(false)

    /// A beacon that was in this many intervals has a past and is kept.
    static let pastIntervals = 10

    /// Opens the database or creates a new one. One that cannot be opened because it is damaged is moved aside first.
    package init(_ settings: HistorySettings) throws(HistoryError) {
        self.settings = settings
        do {
            (queue, run, movedAside) = try HistoryDatabase.mended(settings.file) {
                let (queue, run) = try Self.open(settings)
                return (queue, run, $0)
            }
        } catch {
            throw HistoryError(error, file: settings.file)
        }
    }

    /// Writes the log into the database and closes it.
    package func close() {
        isClosed.withLock { $0 = true }
        try? queue.close()
    }

    /// Interrupts the work in the database, from any thread: it throws `interrupted` and is rolled back. Afterwards
    /// only writing is possible.
    package func interrupt() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        // Not while it is being closed: SQLite's connection would be gone.
        isClosed.withLock { if !$0 { queue.interrupt() } }
    }

    var hasEnded: Bool { isStopping.load(ordering: .relaxed) }

    /// - Throws: if the daemon is ending.
    func checkForEnd() throws {
        if hasEnded { throw HistoryError.interrupted }
    }

    private static func open(_ settings: HistorySettings) throws -> (DatabaseQueue, Int) {
        let queue = try HistoryDatabase.open(
            settings.file, label: "beacond.history", program: "beacond", HistorySchema.migrator)
        let run = try queue.read { db in
            try Int.fetchOne(db, sql: "SELECT coalesce(max(run), 0) + 1 FROM span") ?? 1
        }
        return (queue, run)
    }
}
