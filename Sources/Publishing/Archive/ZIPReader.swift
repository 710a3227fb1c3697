import Glibc
import Platform
import Text

/// Reads a ZIP file from the disk. Memory is bounded whatever the file contains, and nothing is written to the disk.
///
/// It refuses encrypted entries, ZIP64, methods other than stored and deflated, names that are not plain paths or occur
/// twice, entries that overlap, and files above the limits.
package final class ZIPReader {
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// The size in bytes when unpacked.
        package let size: Int64
        let packed: Int64
        let method: UInt16
        let checksum: UInt32
        let offset: Int64
    }

    package struct Limits: Sendable {
        package var entries = ZIPFormat.maximumEntries
        /// The most bytes of all entries together when unpacked.
        package var bytes: Int64 = 8 << 30

        package init() {}
    }

    /// The entries by name. Folders are left out.
    package let entries: [String: Entry]
    private let file: Int32
    private let path: String
    private let length: Int64

    /// - Throws: `PublishingError` with code `.format`, `.limit` or `.storage`.
    package init(_ path: String, limits: Limits = Limits()) throws(PublishingError) {
        self.path = path
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw PublishingError(reading: path) }
        do throws(PublishingError) {
            let length = Int64(lseek(file, 0, SEEK_END))
            self.length = length
            entries = try ZIPDirectory(file: file, path: path, length: length).entries(limits)
        } catch {
            close(file)
            throw error
        }
        self.file = file
    }

    deinit { close(file) }

    /// Passes an entry's bytes on in chunks, and checks them at the end.
    ///
    /// - Throws: `PublishingError` with code `.format` if the bytes do not match the archive's directory.
    package func read(_ entry: Entry, _ body: ([UInt8]) throws -> Void) throws {
        let head = try portion(entry.offset, ZIPFormat.localLength)
        var fields = head[...]
        guard fields.take32() == ZIPFormat.local else { throw damaged(entry.name) }
        fields = head[26...]
        let skipped = Int64(fields.take16() ?? 0) + Int64(fields.take16() ?? 0)
        var position = entry.offset + Int64(ZIPFormat.localLength) + skipped
        let end = position + entry.packed
        guard end <= length else { throw damaged(entry.name) }
        var inflating = entry.method == ZIPFormat.deflated ? Inflation() : nil
        var checksum: UInt32 = 0
        var count: Int64 = 0
        func give(_ bytes: [UInt8]) throws {
            count += Int64(bytes.count)
            guard count <= entry.size else { throw damaged(entry.name) }
            checksum = ZIPWriter.checksum(checksum, bytes)
            try body(bytes)
        }
        while position < end {
            let bytes = try portion(position, Int(min(65_536, end - position)))
            position += Int64(bytes.count)
            if inflating != nil {
                guard try inflating?.add(bytes, give) == true else { throw damaged(entry.name) }
            } else {
                try give(bytes)
            }
        }
        guard count == entry.size, checksum == entry.checksum, inflating?.isComplete ?? true else {
            throw damaged(entry.name)
        }
    }

    /// All bytes of a small entry; nil if there is no entry with this name.
    ///
    /// - Throws: `PublishingError` with code `.limit` if it has more bytes than the limit.
    package func bytes(_ name: String, atMost limit: Int64) throws -> [UInt8]? {
        guard let entry = entries[name] else { return nil }
        guard entry.size <= limit else {
            throw PublishingError(
                .limit, place: place(of: name), "it has \(entry.size) bytes, at most \(limit) are accepted")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(entry.size))
        try read(entry) { bytes += $0 }
        return bytes
    }

    private func portion(_ offset: Int64, _ count: Int) throws(PublishingError) -> [UInt8] {
        try readExactly(file, path, offset, count)
    }

    /// Names may have control characters besides those of ASCII.
    private func place(of name: String) -> String { "\(path): \(excerpt(name))" }

    private func damaged(_ name: String) -> PublishingError {
        PublishingError(
            .format, place: place(of: name), "its bytes are not what the archive says",
            remedy: "export it again, or copy it again")
    }
}

/// Reads exactly this many bytes of a file at an offset.
func readExactly(_ file: Int32, _ path: String, _ offset: Int64, _ count: Int) throws(PublishingError) -> [UInt8] {
    var used = 0
    var failure: SystemFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        while used < count {
            let got = pread(
                file, buffer.baseAddress?.advanced(by: used), count - used, off_t(offset + Int64(used)))
            if got < 0 && errno == EINTR { continue }
            if got < 0 { failure = SystemFailure() }
            if got <= 0 { break }
            used += got
        }
        filled = used
    }
    if let failure { throw PublishingError(reading: path, failure) }
    guard used == count else {
        throw PublishingError(.format, place: path, "it is cut off", remedy: "export it again, or copy it again")
    }
    return bytes
}
