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
    /// - Throws: `taken` if it exists; `full`, `unusable`.
    package func backup(to path: String) async throws(StoreError) {
        let part = "\(path).part"
        let pool = pool
        do {
            try await OwnThread.run {
                guard access(path, F_OK) != 0 else {
                    throw StoreError(.taken, "\(path) exists", remedy: "give the name of a new file")
                }
                unlink(part)
                // Created before SQLite does it, with these permissions, because it contains password hashes.
                let descriptor = open(part, O_CREAT | O_RDWR | O_EXCL | O_CLOEXEC, 0o640)
                guard descriptor >= 0 else { throw StoreError(.unusable, at: path, "\(SystemFailure(errno))") }
                defer { Glibc.close(descriptor) }
                do {
                    let copy = try DatabaseQueue(path: part)
                    try pool.backup(to: copy)
                    // A single file without a write-ahead log, so that it can be copied on its own.
                    try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
                    try copy.close()
                    guard fsync(descriptor) == 0, rename(part, path) == 0 else {
                        throw StoreError(.unusable, at: path, "\(SystemFailure(errno))")
                    }
                    AtomicFile.flushFolder(of: path)
                } catch {
                    unlink(part)
                    throw error
                }
            }
        } catch {
            throw StoreError(error, file: path)
        }
    }
}
