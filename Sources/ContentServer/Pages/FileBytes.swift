import Glibc

/// Reads a file as a whole. It blocks.
enum FileBytes {
    /// Nil if it cannot be read or has more bytes.
    static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while octets.count <= limit {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { return octets }
            octets += buffer[..<count]
        }
        return nil
    }
}
