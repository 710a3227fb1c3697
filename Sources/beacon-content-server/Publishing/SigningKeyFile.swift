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
            guard access(path, R_OK) == 0 else { throw unreadable(path, SystemFailure()) }
            throw CommandFailure("\(path): this is no file with a signing key; name one that keygen has made")
        }
        return try SigningKey(pem: String(decoding: bytes, as: UTF8.self), source: path)
    }

    private static func unreadable(_ path: String, _ failure: SystemFailure) -> CommandFailure {
        switch failure.code {
        case ENOENT:
            CommandFailure("\(path): there is no signing key; make one with keygen \(path)")
        case EACCES:
            CommandFailure(
                "\(path): this user may not read the signing key; \(InstalledService.contentServer.toRead(path))")
        default:
            CommandFailure("\(path): the signing key cannot be read: \(failure)")
        }
    }

    /// Writes a new file that only its owner can read; if root makes it, also the group of its folder. An existing one
    /// is never replaced: devices know its key.
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
            try shareWithService(file, at: path)
            try AtomicFile.write(key.pem, to: file)
            guard fsync(file) == 0 else { throw SystemFailure() }
        } catch {
            unlink(path)
            throw CommandFailure("\(path): \(error)")
        }
        // A key that devices know must not get lost with its name.
        AtomicFile.flushFolder(of: path)
    }

    /// Root makes the key, and the service reads it as another user: the group of the folder for its keys.
    private static func shareWithService(_ file: Int32, at path: String) throws(SystemFailure) {
        guard geteuid() == 0 else { return }
        var folder = stat()
        guard stat(PathText.folder(of: path), &folder) == 0 else { throw SystemFailure() }
        guard folder.st_gid != 0 else { return }
        guard fchown(file, 0, folder.st_gid) == 0, fchmod(file, 0o640) == 0 else { throw SystemFailure() }
    }
}
