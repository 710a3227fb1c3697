package import Glibc

/// Replaces files atomically: a reader finds the old content or the new, never a part of it, even after a power cut.
package enum AtomicFile {
    /// The owner and permissions of the new file.
    package enum Rights: Sendable {
        /// These permissions, minus the process's umask.
        case permissions(mode_t)
        /// Owner and permissions of the old file; 0644, minus the process's umask, if there was none.
        case kept
    }

    /// Writes the whole text. A symbolic link stays, and its target is replaced. If another program is replacing the
    /// same file, this waits for it.
    ///
    /// - Throws: the system's reason. The old file is then unchanged, and no temporary file remains.
    package static func replace(_ path: String, with text: String, rights: Rights) throws(SystemFailure) {
        let file = try UnfinishedFile(replacing: path, rights: rights)
        try file.write(Array(text.utf8))
        try file.finish()
    }

    /// Writes a whole text at a descriptor's position.
    package static func write(_ text: String, to descriptor: Int32) throws(SystemFailure) {
        try write(Array(text.utf8), to: descriptor)
    }

    /// Writes all bytes at a descriptor's position.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw SystemFailure() }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Creates the folder of a file if it does not exist, and makes its name durable, so that files in it are not lost
    /// with it. Errors are ignored: creating the file itself will report them.
    package static func makeFolder(of path: String, permissions: mode_t) {
        let folder = PathText.folder(of: path)
        if mkdir(folder, permissions) == 0 { flushFolder(of: folder) }
    }

    /// The file that is replaced: what a symbolic link leads to, even if that does not exist yet, or the path itself.
    package static func target(of path: String) -> String {
        var path = path
        // As many links as Linux follows (path_resolution(7)).
        for _ in 0..<40 {
            if let resolved = realpath(path, nil) {
                defer { free(resolved) }
                return String(cString: resolved)
            }
            guard let next = link(at: path) else { break }
            path = PathText.isAbsolute(next) ? next : "\(PathText.folder(of: path))/\(next)"
        }
        return path
    }

    /// What a symbolic link names; nil if there is none.
    private static func link(at path: String) -> String? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = base.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
                readlink(path, $0, buffer.count)
            }
            return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
        }
    }

    /// Flushes a folder, which makes new names in it durable. Some file systems do not support this, and then nothing
    /// better is possible.
    ///
    /// - Throws: if the folder cannot be opened.
    package static func flush(_ folder: String) throws(SystemFailure) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure() }
        fsync(descriptor)
        close(descriptor)
    }

    /// Makes the name of a file durable, as far as its folder can be opened.
    package static func flushFolder(of path: String) {
        try? flush(PathText.folder(of: path))
    }
}
