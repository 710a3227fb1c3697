import Glibc
import YAMLText

/// Replaces a configuration file: the old one is there until the new one is complete, and owner and rights stay.
public enum ConfigurationFileWriter {
    /// The text that is to be changed; empty where there is no file yet.
    ///
    /// Throws where it cannot be read, or could not be written.
    public static func text(of path: String) throws(ConfigurationError) -> String {
        let target = target(of: path)
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
        let isThere = access(target, F_OK) == 0
        guard access(folder, W_OK) == 0, !isThere || access(target, W_OK) == 0 else { throw failure(path) }
        do {
            return try DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: true) ?? ""
        } catch {
            throw ConfigurationError(error.lines)
        }
    }

    /// Writes the whole text.
    ///
    /// Throws with the system's reason, and leaves the file as it was.
    public static func write(_ text: String, to path: String) throws(ConfigurationError) {
        let target = target(of: path)
        var old = stat()
        let isThere = stat(target, &old) == 0
        let temporary = target + ".part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isThere ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        do throws(ConfigurationError) {
            if isThere {
                guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else { throw failure(path) }
                let isSame = old.st_uid == geteuid() && old.st_gid == getegid()
                guard fchown(descriptor, old.st_uid, old.st_gid) == 0 || isSame else { throw failure(path) }
            }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                guard count >= 0 || errno == EINTR else { throw failure(path) }
                rest = rest.dropFirst(max(0, count))
            }
            guard fsync(descriptor) == 0, rename(temporary, target) == 0 else { throw failure(path) }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        close(descriptor)
    }

    /// A link stays a link: what it leads to is replaced.
    private static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func failure(_ path: String) -> ConfigurationError {
        let reason = errno
        let remedy =
            switch reason {
            case EACCES, EPERM, EROFS: "; run this as the user who may, or name another file with --config"
            case ENOENT: "; its folder has to be there"
            default: ""
            }
        return ConfigurationError(["\(path): cannot be written: \(String(cString: strerror(reason)))\(remedy)"])
    }
}
