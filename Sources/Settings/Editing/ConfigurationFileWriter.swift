import Glibc
import Platform
import YAMLText

/// Replaces a configuration file: the old one is there until the new one is complete, and owner and rights stay.
package enum ConfigurationFileWriter {
    /// Changes the text, which is empty where there is no file yet. From before the text is read until it is replaced,
    /// the temporary file is locked: a second change waits, and no change is lost.
    ///
    /// - Parameters:
    ///   - command: what a user who may not write the file can type after `sudo`.
    ///   - edit: changes the text. If it throws, or changes nothing, the file stays as it was.
    /// - Returns: what `edit` returns.
    /// - Throws: what `edit` throws, or `ConfigurationError` if the file cannot be read or written.
    package static func change<Result>(
        _ path: String, command: String? = nil, _ edit: (inout String) throws -> Result
    ) throws -> Result {
        try requireWritable(path, command)
        let file: UnfinishedFile
        do {
            file = try UnfinishedFile(replacing: path, rights: .kept)
        } catch {
            throw failure(path, error)
        }
        let old = try text(of: path)
        var new = old
        let result = try edit(&new)
        guard new != old else { return result }
        do {
            try file.write(Array(new.utf8))
            try file.finish()
        } catch {
            throw failure(path, error)
        }
        return result
    }

    /// - Throws: if the file cannot be read, or could not be written.
    package static func check(_ path: String) throws(ConfigurationError) {
        try requireWritable(path, nil)
        _ = try text(of: path)
    }

    private static func requireWritable(_ path: String, _ command: String?) throws(ConfigurationError) {
        let target = AtomicFile.target(of: path)
        let folder = PathText.folder(of: target)
        let isThere = access(target, F_OK) == 0
        guard access(folder, W_OK) == 0, !isThere || access(target, W_OK) == 0 else {
            throw failure(path, SystemFailure(), command)
        }
    }

    private static func text(of path: String) throws(ConfigurationError) -> String {
        do {
            return try DocumentFile.text(of: path, limit: 1 << 20, mayBeMissing: true) ?? ""
        } catch {
            throw ConfigurationError(error.mistakes)
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
