import Glibc

/// Reads text files that people write.
package enum DocumentFile {
    /// The text of a file.
    ///
    /// - Parameters:
    ///   - limit: the maximum sensible size of such a file, in bytes.
    ///   - mayBeMissing: returns nil for a missing file instead of throwing.
    /// - Throws: why the file cannot be read: the system's reason, its size, or that it is not UTF-8.
    package static func text(
        of path: String, limit: Int = 4 << 20, mayBeMissing: Bool = false
    ) throws(DocumentError) -> String? {
        func problem(_ message: String) -> DocumentError {
            DocumentError(file: path, issues: [.init(message)])
        }
        guard let file = fopen(path, "re") else {
            if errno == ENOENT, mayBeMissing { return nil }
            throw problem("cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while octets.count <= limit {
            let count = fread(&buffer, 1, buffer.count, file)
            octets += buffer[..<count]
            if count < buffer.count { break }
        }
        guard ferror(file) == 0 else { throw problem("cannot be read: \(String(cString: strerror(errno)))") }
        guard octets.count <= limit else {
            var status = stat()
            let isFile = fstat(fileno(file), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            throw problem(
                isFile ? "is larger than \(limit >> 20) MiB, which no such file is" : "is no file with an end")
        }
        guard let text = String(validating: octets, as: UTF8.self) else { throw problem("is not UTF-8 text") }
        return text
    }
}
