import Glibc
package import GRDB
import Platform

/// What the databases of this project have in common. Every method blocks its thread while the disk works.
package enum HistoryDatabase {
    /// Opens a database for writing, or creates it: with a write-ahead log, and readable only by its owner and group.
    ///
    /// - Parameters:
    ///   - label: names its queue.
    ///   - program: the program that writes it, for people.
    package static func open(
        _ file: String, label: String, program: String, _ migrator: DatabaseMigrator
    ) throws -> DatabaseQueue {
        // The history of visits is private. SQLite gives its other files the same permissions.
        AtomicFile.makeFolder(of: file, permissions: 0o750)
        let descriptor = Glibc.open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o640)
        if descriptor >= 0 { Glibc.close(descriptor) }
        var configuration = Configuration()
        configuration.label = label
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // The first setting affects only a new database, and must come before its first table.
            try db.execute(
                sql: """
                    PRAGMA auto_vacuum = INCREMENTAL;
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA wal_autocheckpoint = 256;
                    PRAGMA journal_size_limit = 1048576;
                    PRAGMA cache_size = -2000;
                    """)
        }
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        if try queue.read(migrator.hasBeenSuperseded) {
            throw HistoryError(
                .newer, "\(file) was written by a later version of \(program)",
                remedy: "install that again, or move the file away")
        }
        try migrator.migrate(queue)
        return queue
    }

    /// Opens a database. A database that proves damaged is moved aside, and a new one is opened.
    ///
    /// - Parameter open: receives the new path of the damaged database; nil if there was none.
    package static func mended<Opened>(_ file: String, open: (_ movedAside: String?) throws -> Opened) throws -> Opened
    {
        do {
            return try open(nil)
        } catch let error as DatabaseError where isDamage(error) {
            return try open(moveAside(file))
        }
    }

    /// The message about it for people.
    package static func notice(of file: String, movedTo path: String) -> String {
        "\(file) was damaged: it is \(path) now, and a new one was started"
    }

    private static func isDamage(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    }

    /// Moves a damaged database away. Only the newest one is kept for inspection.
    ///
    /// - Returns: its new path; nil if there is none, or if it cannot be moved.
    package static func moveAside(_ file: String) -> String? {
        let target = file + ".damaged"
        guard rename(file, target) == 0 else { return nil }
        for suffix in ["-wal", "-shm"] {
            unlink(target + suffix)
            rename(file + suffix, target + suffix)
        }
        return target
    }
}
