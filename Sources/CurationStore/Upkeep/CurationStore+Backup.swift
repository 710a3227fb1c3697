import Curation
import Foundation
import GRDB
import Glibc
import Platform

extension CurationStore {
    /// Copies the database into a new file while others read and write: one consistent state of it. The library's files
    /// are not in it; as they never change, they can be copied afterwards.
    ///
    /// - Parameter path: must not exist. It is complete once it is there.
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
                // Before SQLite makes it: passwords' hashes are in it.
                let descriptor = open(part, O_CREAT | O_RDWR | O_EXCL | O_CLOEXEC, 0o640)
                guard descriptor >= 0 else { throw StoreError(.unusable, at: path, "\(SystemFailure(errno))") }
                defer { Glibc.close(descriptor) }
                do {
                    let copy = try DatabaseQueue(path: part)
                    try pool.backup(to: copy)
                    // A single file, as whoever copies it on expects.
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
