import Curation
import Foundation
import GRDB
import Glibc
import Platform

extension CurationStore {
    /// Copies the database into a new file while others read and write. The copy is one consistent state. The library's
    /// files are not included. They never change, so they can be copied afterwards.
    ///
    /// - Parameter path: the new file, which must not exist. When it exists, it is complete.
    /// - Throws: `taken` if it exists; `busy` if another program is writing it; `full`, `unusable`.
    package func backup(to path: String) async throws(StoreError) {
        let pool = pool
        do {
            try await OwnThread.run {
                let lock = try Self.lock(path)
                try withExtendedLifetime(lock) { try Self.copy(pool, to: path) }
            }
        } catch {
            throw StoreError(error, file: path)
        }
    }

    /// Keeps other programs from writing the same copy. SQLite does not write into this file: on NFS, this lock would
    /// exclude those of SQLite.
    private static func lock(_ path: String) throws(StoreError) -> UnfinishedFile {
        do {
            return try UnfinishedFile(replacing: path, rights: .permissions(0o640), waits: false)
        } catch {
            guard error.code == EWOULDBLOCK else { throw StoreError(.unusable, at: path, "\(error)") }
            throw StoreError(
                .busy, at: path, "another program is writing it", remedy: "try again when that has ended")
        }
    }

    private static func copy(_ pool: DatabasePool, to path: String) throws {
        guard access(path, F_OK) != 0 else {
            throw StoreError(.taken, "\(path) exists", remedy: "give the name of a new file")
        }
        let part = "\(path).copy"
        // Also SQLite's own files: it would read those that an ended program has left into the new copy.
        func remove() { for end in ["", "-journal", "-wal", "-shm"] { unlink(part + end) } }
        remove()
        // Created before SQLite does it, with these permissions, because it contains password hashes.
        let descriptor = Glibc.open(part, O_CREAT | O_RDWR | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw StoreError(.unusable, at: path, "\(SystemFailure(errno))") }
        defer { Glibc.close(descriptor) }
        do {
            let copy = try DatabaseQueue(path: part)
            try pool.backup(to: copy)
            // A single file without a write-ahead log, so that it can be copied on its own.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
            guard fsync(descriptor) == 0, Glibc.rename(part, path) == 0 else {
                throw StoreError(.unusable, at: path, "\(SystemFailure(errno))")
            }
            AtomicFile.flushFolder(of: path)
        } catch {
            remove()
            throw error
        }
    }
}
