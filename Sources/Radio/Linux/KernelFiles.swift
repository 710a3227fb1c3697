import Glibc
import Platform

/// The kernel's small text files, below /proc and /sys.
package enum KernelFiles {
    /// The lines of a file; none where it cannot be read.
    package static func lines(_ path: String) -> [String] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        var buffer = [CChar](repeating: 0, count: 512)
        while lines.count < 1000, fgets(&buffer, Int32(buffer.count), file) != nil {
            let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            lines.append(String(text.prefix { $0 != "\n" }))
        }
        return lines
    }

    /// What a link points to; nil where it cannot be read.
    package static func target(ofLink path: String) -> String? {
        var target = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The names in a folder, without the hidden ones; none where it cannot be read.
    package static func names(in path: String) -> [String] {
        FolderListing.names(in: path).filter { !$0.hasPrefix(".") }.sorted()
    }
}
