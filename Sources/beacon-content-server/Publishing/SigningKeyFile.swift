import Console
import Foundation
import Glibc
import Platform
import Publishing

/// The file with the key that signs lists.
enum SigningKeyFile {
    /// - Parameter path: the option's value.
    /// - Returns: nil if none is configured.
    static func key(_ path: String?) throws -> SigningKey? {
        guard let path = ServerOption.signingKey.value(path) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count < 65_536 else {
            throw CommandFailure("\(path): the signing key cannot be read; make one with keygen \(path)")
        }
        return try SigningKey(pem: String(decoding: bytes, as: UTF8.self), source: path)
    }

    /// Writes a new file that only its owner can read. An existing one is never replaced: devices know its key.
    static func create(_ key: SigningKey, at path: String) throws(CommandFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let failure = SystemFailure()
            throw CommandFailure(
                failure.code == EEXIST
                    ? "\(path) exists already; name another file: the old key must not get lost"
                    : "\(path): \(failure)")
        }
        defer { close(file) }
        do {
            try AtomicFile.write(key.pem, to: file)
            guard fsync(file) == 0 else { throw SystemFailure() }
        } catch {
            unlink(path)
            throw CommandFailure("\(path): \(error)")
        }
        // A key that devices know must not get lost with its name.
        AtomicFile.flushFolder(of: path)
    }
}
