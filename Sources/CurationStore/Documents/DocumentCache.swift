import Curation

/// Bodies that were read lately, which are costly to decode. A version never changes, so an entry is never wrong.
struct DocumentCache {
    struct Key: Hashable {
        var id: DocumentID
        var version: Int64
        /// A version's number is given again after its transaction failed, so the time tells them apart.
        var at: Int64
    }

    private struct Entry {
        var document: Document
        var bytes: Int
    }

    private var newer: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]
    /// Of the newer ones.
    private var bytes = 0

    /// Two generations are kept, of this many bodies, and of this many bytes as they are stored.
    static let generation = 8000
    static let generationBytes = 32 << 20

    subscript(key: Key) -> Document? {
        mutating get {
            if let found = newer[key] { return found.document }
            guard let found = older[key] else { return nil }
            add(found.document, key, bytes: found.bytes)
            return found.document
        }
    }

    mutating func add(_ document: Document, _ key: Key, bytes: Int) {
        if newer.count >= Self.generation || self.bytes + bytes > Self.generationBytes {
            older = newer
            (newer, self.bytes) = ([:], 0)
        }
        newer[key] = Entry(document: document, bytes: bytes)
        self.bytes += bytes
    }
}
