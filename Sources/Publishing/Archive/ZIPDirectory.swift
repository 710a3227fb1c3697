import Text

/// Reads the directory of a ZIP file, from the file's end.
struct ZIPDirectory {
    let file: Int32
    let path: String
    let length: Int64

    func entries(_ limits: ZIPReader.Limits) throws(PublishingError) -> [String: ZIPReader.Entry] {
        let end = try endRecord()
        guard end.count <= limits.entries else { throw limit("it has \(end.count) files, at most \(limits.entries)") }
        // A record has at most 46 bytes and three texts. Of these, only short names are accepted.
        guard end.size <= Int64(end.count) * 4096 + 4096, end.offset + end.size <= length else {
            throw malformed("its directory does not fit")
        }
        var rest = try readExactly(file, path, end.offset, Int(end.size))[...]
        var entries: [String: ZIPReader.Entry] = [:]
        var folded: Set<String> = []
        var total: Int64 = 0
        var spans: [Range<Int64>] = []
        for _ in 0..<end.count {
            let entry = try next(&rest)
            // By octets, as in `isPlain`.
            guard entry.name.utf8.last != UInt8(ascii: "/") else { continue }
            guard ZIPFormat.isPlain(entry.name) else { throw malformed("it has a file with an unsafe name") }
            guard folded.insert(entry.name.lowercased()).inserted else {
                throw malformed("it has two files named \(excerpt(entry.name))")
            }
            total += entry.size
            guard total <= limits.bytes else { throw limit("its files have more than \(limits.bytes) bytes") }
            spans.append(entry.offset..<(entry.offset + Int64(ZIPFormat.localLength) + entry.packed))
            entries[entry.name] = entry
        }
        // Without this check, entries that share bytes could make a small file unpack to any size.
        spans.sort { $0.lowerBound < $1.lowerBound }
        for (span, following) in zip(spans, spans.dropFirst()) where span.upperBound > following.lowerBound {
            throw malformed("its files overlap")
        }
        if let last = spans.last, last.upperBound > end.offset { throw malformed("its files overlap") }
        return entries
    }

    private func next(_ rest: inout ArraySlice<UInt8>) throws(PublishingError) -> ZIPReader.Entry {
        guard rest.count >= ZIPFormat.centralLength, rest.take32() == ZIPFormat.central,
            rest.take32() != nil, let flags = rest.take16(), let method = rest.take16(), rest.take32() != nil,
            let checksum = rest.take32(), let packed = rest.take32(), let size = rest.take32(),
            let nameLength = rest.take16(), let extraLength = rest.take16(), let commentLength = rest.take16(),
            rest.take32() != nil, rest.take32() != nil, let offset = rest.take32(),
            rest.count >= Int(nameLength) + Int(extraLength) + Int(commentLength)
        else { throw malformed("its directory is cut off") }
        let octets = rest.prefix(Int(nameLength))
        rest.removeFirst(Int(nameLength) + Int(extraLength) + Int(commentLength))
        guard flags & 1 == 0 else { throw malformed("it is encrypted") }
        guard method == ZIPFormat.stored || method == ZIPFormat.deflated else {
            throw malformed("it is packed with method \(method)")
        }
        guard packed != .max, size != .max, offset != .max else { throw malformed("it is in the ZIP64 format") }
        guard method != ZIPFormat.stored || packed == size, let name = String(validating: octets, as: UTF8.self) else {
            throw malformed("its directory contradicts itself")
        }
        return ZIPReader.Entry(
            name: name, size: Int64(size), packed: Int64(packed), method: method, checksum: checksum,
            offset: Int64(offset))
    }

    /// The end record. A comment of up to 65,535 bytes may follow its fields.
    private func endRecord() throws(PublishingError) -> (count: Int, size: Int64, offset: Int64) {
        let tail = min(length, Int64(ZIPFormat.endLength + 65_535))
        let bytes = try readExactly(file, path, length - tail, Int(tail))
        var start = bytes.count - ZIPFormat.endLength
        while start >= 0 {
            defer { start -= 1 }
            var fields = bytes[start...]
            guard bytes[start] == 0x50, fields.take32() == ZIPFormat.end, let disk = fields.take32(),
                let count = fields.take16(), let total = fields.take16(), let size = fields.take32(),
                let offset = fields.take32(), let comment = fields.take16(), Int(comment) == fields.count
            else { continue }
            guard disk == 0, count == total, count != .max, size != .max, offset != .max else {
                throw malformed("it is divided or in the ZIP64 format")
            }
            return (Int(count), Int64(size), Int64(offset))
        }
        throw malformed("it is no ZIP file")
    }

    private func malformed(_ problem: String) -> PublishingError {
        PublishingError(.format, place: path, problem, remedy: "make it with beacon-content-server export")
    }

    private func limit(_ problem: String) -> PublishingError {
        PublishingError(.limit, place: path, problem, remedy: "import it in parts")
    }
}
