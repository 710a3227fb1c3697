import Glibc

/// The bytes of a small file.
package enum FileContents {
    /// Blocks its thread.
    ///
    /// - Returns: nil if it cannot be read, or has more bytes than `limit`.
    package static func read(_ path: String, limit: Int = 16 << 20) -> [UInt8]? {
        guard let file = fopen(path, "rbe") else { return nil }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while octets.count <= limit {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { return ferror(file) == 0 ? octets : nil }
            octets += buffer[..<count]
        }
        return nil
    }
}
