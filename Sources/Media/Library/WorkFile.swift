import Crypto
import Glibc
package import Platform
import SiteFormat
import Synchronization

/// An open and locked file in the folder of uploads. It is removed with its last owner, unless it was renamed.
package final class WorkFile: Sendable {
    package let path: String
    package let descriptor: OwnedDescriptor

    private static let last = Atomic(0)

    init(path: String, descriptor: OwnedDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// A new, empty file.
    convenience init(in folder: MediaFolder) throws(MediaError) {
        let path = Self.newPath(in: folder)
        self.init(path: path, descriptor: OwnedDescriptor(try MediaFolder.make(path)))
    }

    /// The same, but it throws the system's reason if the file cannot be created.
    convenience init(among folder: MediaFolder) throws(SystemFailure) {
        let path = Self.newPath(in: folder)
        self.init(path: path, descriptor: OwnedDescriptor(try MediaFolder.create(path)))
    }

    private static func newPath(in folder: MediaFolder) -> String {
        "\(folder.uploads)/\(getpid())-made-\(last.add(1, ordering: .relaxed).newValue).part"
    }

    deinit { unlink(path) }
}

/// A file that was received completely.
struct ReceivedFile: Sendable {
    let work: WorkFile
    let count: Int64
    let hash: AssetHash

    init(_ work: WorkFile, count: Int64, hash: AssetHash) {
        self.work = work
        self.count = count
        self.hash = hash
    }

    /// Reads the file to calculate its size and hash.
    init(reading work: WorkFile) throws(MediaError) {
        var hash = SHA256()
        var count: Int64 = 0
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let part = pread(work.descriptor.number, &chunk, chunk.count, off_t(count))
            guard part >= 0 else { throw MediaError(SystemFailure(), path: work.path) }
            if part == 0 { break }
            chunk.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<part])) }
            count += Int64(part)
        }
        self.init(work, count: count, hash: AssetHash(sha256: hash.finalize()))
    }
}
