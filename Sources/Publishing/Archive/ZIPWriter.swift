import CZlib
import SiteFormat

/// Writes a ZIP file in chunks, one entry after another. Nothing is compressed: pictures and films are already
/// compressed, and the rest is small.
package struct ZIPWriter: ~Copyable {
    /// The source of an entry's bytes.
    package enum Source: Hashable, Sendable {
        case bytes([UInt8])
        case file(String)
    }

    private var entries: [(name: String, source: Source)].SubSequence
    private var current: HashedReader?
    private var rest: Int64 = 0
    private var directory: [UInt8] = []
    private var count = 0
    private var offset: Int64 = 0
    private var isDone = false

    /// - Throws: `PublishingError` with code `.limit` if there are more entries than the format allows.
    package init(_ entries: [(name: String, source: Source)]) throws(PublishingError) {
        guard entries.count <= ZIPFormat.maximumEntries else {
            throw PublishingError(
                .limit, "there are \(entries.count) files, and a ZIP file holds \(ZIPFormat.maximumEntries)",
                remedy: "publish into a folder and copy that")
        }
        self.init(unchecked: entries)
    }

    // This one does not throw, because Swift 6.2 would destroy fields that have no value yet.
    private init(unchecked entries: [(name: String, source: Source)]) { self.entries = entries[...] }

    /// The next chunk: at most 64 KiB, or an entry's header with its bytes; nil at the end. It blocks.
    ///
    /// - Throws: `PublishingError`: a file cannot be read or has changed (`.storage`), or the archive becomes larger
    ///   than 4 GiB (`.limit`). The bytes that were already written are then useless.
    package mutating func next() throws(PublishingError) -> [UInt8]? {
        if let bytes = try current?.next() {
            rest -= Int64(bytes.count)
            guard rest >= 0 else { throw Self.changed }
            return advance(bytes)
        }
        guard rest == 0 else { throw Self.changed }
        current = nil
        if let entry = entries.popFirst() { return advance(try begin(entry.name, entry.source)) }
        if isDone { return nil }
        isDone = true
        return end()
    }

    private static let changed = PublishingError(
        .storage, "a file was changed while it was read", remedy: "export again")

    private mutating func advance(_ bytes: [UInt8]) -> [UInt8] {
        offset += Int64(bytes.count)
        return bytes
    }

    /// An entry's header, with its bytes unless they come from a file.
    private mutating func begin(_ name: String, _ source: Source) throws(PublishingError) -> [UInt8] {
        var checksum = UInt32(crc32(0, nil, 0))
        var size: Int64 = 0
        switch source {
        case .bytes(let bytes):
            checksum = Self.checksum(checksum, bytes)
            size = Int64(bytes.count)
        case .file(let path):
            var reader = try HashedReader(path)
            while let bytes = try reader.next() {
                checksum = Self.checksum(checksum, bytes)
                size += Int64(bytes.count)
            }
            current = try HashedReader(path)
            rest = size
        }
        guard offset + size + Int64(directory.count) + 4096 <= ZIPFormat.maximumBytes else {
            throw PublishingError(
                .limit, "the archive would be larger than 4 GiB", remedy: "publish into a folder and copy that")
        }
        var head: [UInt8] = []
        head.append32(ZIPFormat.local)
        let common = Self.common(checksum, UInt32(size), name)
        head += common
        head.append16(0)
        head += name.utf8
        directory.append32(ZIPFormat.central)
        directory.append16(20)
        directory += common
        // No extra field, comment, disk number or attributes.
        directory += [UInt8](repeating: 0, count: 12)
        directory.append32(UInt32(offset))
        directory += name.utf8
        count += 1
        if case .bytes(let bytes) = source { head += bytes }
        return head
    }

    /// The common part of a local and a central header: from the needed version to the length of the name.
    private static func common(_ checksum: UInt32, _ size: UInt32, _ name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append16(20)
        bytes.append16(ZIPFormat.utf8)
        bytes.append16(ZIPFormat.stored)
        bytes.append16(0)
        bytes.append16(ZIPFormat.date)
        bytes.append32(checksum)
        bytes.append32(size)
        bytes.append32(size)
        bytes.append16(UInt16(name.utf8.count))
        return bytes
    }

    static func checksum(_ checksum: UInt32, _ bytes: [UInt8]) -> UInt32 {
        UInt32(crc32(UInt(checksum), bytes, UInt32(bytes.count)))
    }

    private func end() -> [UInt8] {
        var bytes = directory
        bytes.append32(ZIPFormat.end)
        bytes.append32(0)
        bytes.append16(UInt16(count))
        bytes.append16(UInt16(count))
        bytes.append32(UInt32(directory.count))
        bytes.append32(UInt32(offset))
        bytes.append16(0)
        return bytes
    }
}
