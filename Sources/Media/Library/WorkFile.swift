import Crypto
import Glibc
import Platform
import SiteFormat
import Synchronization

/// An open file in the folder of uploads. It is removed with its last owner, unless it was moved away.
final class WorkFile: Sendable {
    let path: String
    let descriptor: OwnedDescriptor

    private static let last = Atomic(0)

    init(path: String, descriptor: OwnedDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// A new, empty file.
    convenience init(in folder: MediaFolder) throws(MediaError) {
        let path = "\(folder.uploads)/\(getpid())-made-\(Self.last.add(1, ordering: .relaxed).newValue).part"
        self.init(path: path, descriptor: OwnedDescriptor(try MediaFolder.make(path)))
    }

    deinit { unlink(path) }
}

/// A file that has all its bytes.
struct ReceivedFile: Sendable {
    let work: WorkFile
    let count: Int64
    let hash: AssetHash

    init(_ work: WorkFile, count: Int64, hash: AssetHash) {
        self.work = work
        self.count = count
        self.hash = hash
    }

    /// Reads the file for its size and hash.
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
