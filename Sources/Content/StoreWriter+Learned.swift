import SiteFormat

extension StoreWriter {
    /// What was learned before. Empty if the file is missing or damaged: then it is learned again.
    func learned() -> Learned {
        guard let bytes = (try? Files.read(store.learnedPath, limit: 64 << 20)) ?? nil,
            let learned = try? decodeDocument(Learned.self, json: bytes, source: store.learnedPath)
        else { return Learned() }
        return learned
    }

    func save(_ learned: Learned) async throws(ContentError) {
        try await replace(store.learnedPath, with: try encodeDocument(learned))
    }
}
