import Crypto
import Glibc
import SiteFormat

/// Reads a file in chunks and hashes it meanwhile.
struct HashedReader: ~Copyable {
    private let file: Int32
    private let path: String
    private var digest = SHA256()

    init(_ path: String) throws(PublishingError) {
        self.path = path
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw PublishingError(system: path) }
    }

    deinit { close(file) }

    /// The next chunk, at most 64 KiB; nil at the end.
    mutating func next() throws(PublishingError) -> [UInt8]? {
        var count = 0
        let portion = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
            repeat { count = read(file, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            used = max(0, count)
        }
        guard count >= 0 else { throw PublishingError(system: path) }
        digest.update(data: portion)
        return portion.isEmpty ? nil : portion
    }

    /// The hash of everything that was read so far.
    var hash: AssetHash { AssetHash(sha256: digest.finalize()) }
}
