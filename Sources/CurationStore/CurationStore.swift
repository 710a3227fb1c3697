import GRDB
import Glibc
import Platform
import Synchronization

/// Where everything lies that curators make: an SQLite database in WAL mode, in the server's state folder.
///
/// Whatever a method has returned survives a crash of the machine (`synchronous=FULL`). A method that throws has
/// changed nothing. Instants are arguments: nothing here reads a clock. Several processes may use one database: one
/// of them writes at a time, and readers see whole transactions only.
package final class CurationStore: Sendable {
    /// The folder of the database, which also has the library's files.
    package let folder: String
    package let limits: StoreLimits
    /// The database's path.
    package var file: String { Self.file(in: folder) }

    let pool: DatabasePool
    /// How hard a password is to guess; tests lower it.
    let passwordCost: PasswordCost
    let passwordWork = PasswordWork()
    let signInLimit = Mutex(SignInLimit())
    let presence = Mutex(Presence())
    let reportRate = Mutex(ReportRate())
    let cache = Mutex(DocumentCache())

    package static func file(in folder: String) -> String { "\(folder)/content.sqlite" }

    /// Opens the database of a folder or makes a new one, and brings an older one up to date. Blocks its thread.
    package init(
        folder: String, limits: StoreLimits = StoreLimits(), passwordCost: PasswordCost = .standard
    ) throws(StoreError) {
        self.folder = folder
        self.limits = limits
        self.passwordCost = passwordCost
        let file = Self.file(in: folder)
        do {
            pool = try Self.open(file)
        } catch {
            throw StoreError(error, file: file)
        }
    }

    /// Writes the log into the database and closes it.
    package func close() {
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? pool.close()
    }

    private static func open(_ file: String) throws -> DatabasePool {
        // Passwords' hashes are in it. SQLite gives its other files the same permissions.
        AtomicFile.makeFolder(of: file, permissions: 0o750)
        // Only where there is none: closing a descriptor takes away the locks that this process has on the file by
        // others (fcntl(2)).
        if access(file, F_OK) != 0 {
            let descriptor = Glibc.open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o640)
            if descriptor >= 0 { Glibc.close(descriptor) }
        }
        var configuration = Configuration()
        configuration.label = "beacon-content.store"
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = 3
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA foreign_keys = ON;
                    PRAGMA wal_autocheckpoint = 1000;
                    PRAGMA journal_size_limit = 8388608;
                    PRAGMA cache_size = -8000;
                    PRAGMA trusted_schema = OFF;
                    """)
        }
        let pool = try DatabasePool(path: file, configuration: configuration)
        let migrator = StoreSchema.migrator
        if try pool.read(migrator.hasBeenSuperseded) {
            throw StoreError(
                .newer, "\(file) was written by a later version of this program",
                remedy: "install that again, or restore a backup of this version")
        }
        try migrator.migrate(pool)
        return pool
    }

    /// Reads from one snapshot of the database, on a thread of its own.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.read(body)
        } catch {
            throw StoreError(error, file: file)
        }
    }

    /// Changes the database in one transaction, on a thread of its own.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.write(body)
        } catch {
            // What was read during the transaction may be what it failed to write.
            cache.withLock { $0 = DocumentCache() }
            throw StoreError(error, file: file)
        }
    }
}

/// Who changes something.
package struct Author: Hashable, Sendable {
    /// An account's name, or what stands for it in the history.
    package var name: String

    package init(_ name: String) {
        self.name = name
    }

    /// The command line of the server.
    package static let program = Author("beacon-content-server")
    /// What happens by itself at a set time.
    package static let schedule = Author("schedule")
}
