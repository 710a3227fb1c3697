import GRDB
import Glibc
import Platform
import Synchronization

/// The store of everything that curators create: an SQLite database in WAL mode, in the server's state folder.
///
/// When a method has returned, its changes survive a crash of the machine (`synchronous=FULL`). A method that throws
/// has changed nothing. Instants are arguments, because the store reads no clock. Several processes may use one
/// database: only one writes at a time, and readers see only complete transactions.
package final class CurationStore: Sendable {
    /// The folder of the database. It also contains the library's files.
    package let folder: String
    package let limits: StoreLimits
    /// The database's path.
    package var file: String { Self.file(in: folder) }

    let pool: DatabasePool
    /// The cost of hashing a password. Tests lower it.
    let passwordCost: PasswordCost
    let passwordWork = PasswordWork()
    let signInLimit = Mutex(SignInLimit())
    let presence = Mutex(Presence())
    let reportRate = Mutex(ReportRate())
    let cache = Mutex(DocumentCache())

    package static func file(in folder: String) -> String { "\(folder)/content.sqlite" }

    /// Opens the database in a folder or creates a new one, and migrates an older one. Blocks its thread.
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

    /// Writes the write-ahead log into the database and closes it.
    package func close() {
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? pool.close()
    }

    private static func open(_ file: String) throws -> DatabasePool {
        // The database contains password hashes. SQLite gives its other files the same permissions.
        AtomicFile.makeFolder(of: file, permissions: 0o750)
        // Only if the file is missing: closing any descriptor of a file removes all locks that this process has on it
        // (fcntl(2)).
        if access(file, F_OK) != 0 {
            let descriptor = Glibc.open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o640)
            if descriptor >= 0 {
                FolderOwner.give(descriptor, of: PathText.folder(of: file))
                Glibc.close(descriptor)
            }
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

    /// Reads one snapshot of the database, on another thread.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.read(body)
        } catch {
            throw StoreError(error, file: file)
        }
    }

    /// Changes the database in one transaction, on another thread.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.write(body)
        } catch {
            // The cache may contain bodies that were read in this transaction and are now rolled back.
            cache.withLock { $0 = DocumentCache() }
            throw StoreError(error, file: file)
        }
    }
}

/// The author of a change.
package struct Author: Hashable, Sendable {
    /// The name of an account, or another name that the history shows.
    package var name: String
    /// The number of the token with which a program did it; nil for everybody else. A token may have an account's name.
    package var token: Int64?

    package init(_ name: String, token: Int64? = nil) {
        self.name = name
        self.token = token
    }

    /// The server's command line.
    package static let program = Author("beacon-content-server")
    /// Changes that the server makes at a scheduled time.
    package static let schedule = Author("schedule")

    /// The authors that are neither an account nor a token. A new one cannot have such a name.
    static let reserved = [program, schedule]
}
