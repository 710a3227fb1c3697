import Curation

/// Bodies that were read recently, because they are expensive to decode. A version never changes, so no entry is ever
/// outdated.
struct DocumentCache {
    struct Key: Hashable {
        var id: DocumentID
        var version: Int64
        /// If a transaction fails, the number of its version is used again. The time distinguishes the two.
        var at: Int64
    }

    private struct Entry {
        var document: Document
        var bytes: Int
    }

    private var newer: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]
    /// The size of the newer generation.
    private var bytes = 0

    /// The limits of each of the two generations: the number of bodies, and their size as they are stored.
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
