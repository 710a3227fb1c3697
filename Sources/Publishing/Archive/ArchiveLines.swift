import Glibc

/// Where the lines of an archive's documents are.
///
/// They are counted and measured before the first one is decoded: a text of short lines packs a thousand times smaller,
/// and what is kept of each line must not exceed the memory.
package struct ArchiveLines {
    package struct Limits: Sendable {
        /// The most lines.
        package var lines: Int
        /// The most bytes of the JSON of one document.
        package var documentBytes: Int

        package init(lines: Int = 100_001, documentBytes: Int = 1 << 20) {
            self.lines = lines
            self.documentBytes = documentBytes
        }
    }

    /// Those that are not empty, by the number of the line.
    package private(set) var lines: [(number: Int, range: Range<Int>)] = []

    /// Bytes of a line around its document: the id, the kind and their names.
    private static let frame = 1024

    /// - Throws: `PublishingError` with code `.limit`. Its place is the line.
    package init(_ text: [UInt8], limits: Limits, source: String) throws(PublishingError) {
        let longest = limits.documentBytes + Self.frame
        var (number, start) = (0, 0)
        while start < text.count {
            number += 1
            let end = Self.end(of: text, from: start)
            defer { start = end + 1 }
            guard end > start else { continue }
            guard end - start <= longest else {
                throw PublishingError(
                    .limit, place: "\(source):\(number)",
                    "it has \(end - start) bytes; of one document at most \(limits.documentBytes) are accepted",
                    remedy: "shorten its texts where the archive was made, and export again")
            }
            guard lines.count < limits.lines else {
                throw PublishingError(
                    .limit, place: "\(source):\(number)",
                    "there are more than \(limits.lines) documents, which is the maximum",
                    remedy: "delete some where the archive was made, and export again")
            }
            lines.append((number, start..<end))
        }
    }

    /// The index of the next line end, or of the end of the text.
    private static func end(of text: [UInt8], from start: Int) -> Int {
        text.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            else { return bytes.count }
            return UnsafeRawPointer(found) - base
        }
    }
}
