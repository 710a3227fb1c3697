import Curation

/// Bodies that were read lately, which are costly to decode. A version never changes, so an entry is never wrong.
struct DocumentCache {
    struct Key: Hashable {
        var id: DocumentID
        var version: Int64
        /// A version's number is given again after its transaction failed, so the time tells them apart.
        var at: Int64
    }

    private var newer: [Key: Document] = [:]
    private var older: [Key: Document] = [:]

    /// Two generations of this many are kept.
    static let generation = 8000

    subscript(key: Key) -> Document? {
        mutating get {
            if let found = newer[key] { return found }
            guard let found = older[key] else { return nil }
            insert(found, key)
            return found
        }
        set {
            if let newValue { insert(newValue, key) }
        }
    }

    private mutating func insert(_ document: Document, _ key: Key) {
        if newer.count >= Self.generation {
            older = newer
            newer = [:]
        }
        newer[key] = document
    }
}
