import Glibc
import Platform
import YAMLText

/// Replaces a configuration file: the old one is there until the new one is complete, and owner and rights stay.
package enum ConfigurationFileWriter {
    /// The text that is to be changed; empty where there is no file yet.
    ///
    /// - Parameter command: what a user who may not write it can type after `sudo`.
    /// - Throws: where it cannot be read, or could not be written.
    package static func text(of path: String, command: String? = nil) throws(ConfigurationError) -> String {
        let target = AtomicFile.target(of: path)
        let folder = PathText.folder(of: target)
        let isThere = access(target, F_OK) == 0
        guard access(folder, W_OK) == 0, !isThere || access(target, W_OK) == 0 else {
            throw failure(path, SystemFailure(), command)
        }
        do {
            return try DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: true) ?? ""
        } catch {
            throw ConfigurationError(error.mistakes)
        }
    }

    /// Writes the whole text.
    ///
    /// - Throws: the system's reason if that fails. The file is then as it was.
    package static func write(_ text: String, to path: String) throws(ConfigurationError) {
        do {
            try AtomicFile.replace(path, with: text, rights: .kept)
        } catch {
            throw failure(path, error)
        }
    }

    private static func failure(
        _ path: String, _ reason: SystemFailure, _ command: String? = nil
    ) -> ConfigurationError {
        let remedy: String? =
            switch reason.code {
            case EACCES, EPERM:
                command.map { "run: sudo \($0)" } ?? "run this as the user who may, or name another file with --config"
            case EROFS: "run this as the user who may, or name another file with --config"
            case ENOENT: "its folder has to be there"
            default: nil
            }
        return ConfigurationError([SettingMistake(.file(path), "cannot be written: \(reason)", remedy: remedy)])
    }
}
