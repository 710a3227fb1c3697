import Curation
import GRDB

/// One transaction of one author.
struct Work {
    let db: Database
    let author: Author
    let now: Moment
    /// The site's languages, for the names of documents.
    var languages: [Language]
    /// The most images of a beacon.
    var maximumImages: Int
    /// Whether each step checks how many images its beacon has. If not, `checkImageCounts` does at the end.
    var checksImageCount = true
    /// The number of documents. It is counted when the first one is created.
    var documents: Int?

    init(_ store: CurationStore, _ db: Database, _ author: Author, _ now: Moment) throws {
        self.db = db
        self.author = author
        self.now = now
        let site = try store.site(db)
        languages = site.languages
        maximumImages = site.maximumImages
    }

    /// What errors call a document of several.
    func place(of id: DocumentID, _ document: Document) -> String {
        let name = DocumentFacts(document, languages).name
        return name.isEmpty ? "\(id)" : "\(name) (\(id))"
    }

    /// Records a change, but not yet its effects on documents.
    ///
    /// - Returns: the number of the change.
    func change(
        _ kind: Change.Kind, _ id: DocumentID?, _ documentKind: Document.Kind?, _ name: String, revision: Int64? = nil,
        undoes: Int64? = nil
    ) throws -> Int64 {
        try db.cachedStatement(
            sql: """
                INSERT INTO change (at, by, kind, document, document_kind, name, revision, undoes) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                now.microseconds, author.name, kind.rawValue, id?.text, documentKind?.rawValue, name, revision, undoes,
            ])
        return db.lastInsertedRowID
    }

    /// Records the effect of a change on a document.
    func item(_ change: Int64, _ id: DocumentID, before: Int64?, after: Int64?) throws {
        try db.cachedStatement(sql: "INSERT INTO change_item (change, document, before, after) VALUES (?, ?, ?, ?)")
            .execute(arguments: [change, id.text, before, after])
    }
}

extension CurationStore {
    /// Checks rules between documents. They are checked in the same transaction, so that two editors cannot break them
    /// together.
    func checkRoom(of document: Document, except id: DocumentID?, _ work: Work) throws {
        try checkIdentity(DocumentFacts(document, work.languages).identity, of: document, except: id, work.db)
        guard let image = document.image else { return }
        if let side = Self.repeatedSide(image) {
            throw StoreError(
                .invalid, "two contents are on the \(side.rawValue) side", remedy: "give one of them another side",
                field: "contents.\(side.rawValue)")
        }
        guard let beacon = image.beacon else { return }
        guard let parent = try find(beacon, work.db), parent.document.kind == .beacon, !parent.isDeleted else {
            throw StoreError(
                .invalid, "the beacon \(beacon) does not exist", remedy: "choose another beacon", field: "beacon")
        }
        guard work.checksImageCount else { return }
        let count =
            try Int.fetchOne(
                work.db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM document WHERE kind = 'image' AND beacon = ? AND deleted_at IS NULL \
                        AND id <> ?
                        """), arguments: [beacon.text, id?.text ?? ""]) ?? 0
        // An image that already belongs to the beacon can always be saved, even after the maximum was lowered.
        let current = try id.flatMap { try find($0, work.db) }
        let isThere = current?.isDeleted == false && current?.document.image?.beacon == beacon
        guard count < work.maximumImages || isThere else {
            throw StoreError(
                .limit, "the beacon has \(count) images, which is the maximum",
                remedy: "delete one of them, or choose another beacon", field: "beacon")
        }
    }

    /// Takes the identities from the documents that get other ones, so that documents can exchange them. Saving a
    /// document checks whether its new identity is free.
    func releaseIdentities(changedBy documents: [DocumentID: Document], _ db: Database) throws {
        let find = try db.cachedStatement(sql: "SELECT identity FROM document WHERE id = ?")
        let release = try db.cachedStatement(sql: "UPDATE document SET identity = NULL WHERE id = ?")
        for (id, document) in documents {
            guard let identity = try String.fetchOne(find, arguments: [id.text]), identity != document.identity else {
                continue
            }
            try release.execute(arguments: [id.text])
        }
    }

    /// The number of images of each beacon, without those in the bin. Nil: images without a beacon.
    func countImages(_ db: Database) throws -> [DocumentID?: Int] {
        var counts: [DocumentID?: Int] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT beacon, count(*) AS count FROM document WHERE kind = 'image' AND deleted_at IS NULL \
                GROUP BY beacon
                """)
        while let row = try rows.next() {
            counts[row.optionalText("beacon").flatMap(DocumentID.init)] = Int(try row.integer("count"))
        }
        return counts
    }

    /// Checks the numbers of images after several steps. As after one step, a beacon that had too many already may keep
    /// them.
    func checkImageCounts(since before: [DocumentID?: Int], _ work: Work) throws {
        let counts = try countImages(work.db).sorted { ($0.key?.text ?? "") < ($1.key?.text ?? "") }
        for case (let beacon?, let count) in counts
        where count > work.maximumImages && count > before[beacon, default: 0] {
            let place = try find(beacon, work.db).map { work.place(of: beacon, $0.document) } ?? "\(beacon)"
            throw StoreError(
                .limit, at: place,
                "the beacon would have \(count) images, and the maximum is \(work.maximumImages)",
                remedy: "delete some of them, or raise the maximum in the settings", field: "beacon")
        }
    }

    func checkIdentity(_ identity: String?, of document: Document, except id: DocumentID?, _ db: Database) throws {
        guard let identity,
            let other = try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT id, name FROM document WHERE identity = ? AND deleted_at IS NULL AND id <> ?"),
                arguments: [identity, id?.text ?? ""])
        else { return }
        let isBeacon = document.kind == .beacon
        var error = StoreError(
            .taken,
            isBeacon ? "\(try other.text("name")) has this UUID, major and minor" : "the library has this file already",
            remedy: isBeacon ? "change one of the two" : "use that one", field: isBeacon ? "uuid" : "sha256")
        error.other = try other.id("id")
        throw error
    }

    func placedLast(_ image: ImageDocument, _ db: Database) throws -> ImageDocument {
        var image = image
        let last = try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT max(rank) FROM document WHERE kind = 'image' AND beacon IS ? AND deleted_at IS NULL"),
            arguments: [image.beacon?.text])
        image.rank = min(max(last ?? 0, FieldLimits.rank.lowerBound), FieldLimits.rank.upperBound - 1) + 1
        return image
    }

    private static func repeatedSide(_ image: ImageDocument) -> ContentItem.Side? {
        var sides: Set<ContentItem.Side> = []
        return image.contents.first { !sides.insert($0.side).inserted }?.side
    }

    /// Updates the column `state` from the rest of the document's row.
    func refreshState(_ id: DocumentID, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE document SET state = CASE \
                WHEN published_version IS NULL THEN 'unpublished' \
                WHEN deleted_at IS NOT NULL THEN 'removed' \
                WHEN version = published_version THEN 'published' \
                WHEN (SELECT body FROM version v WHERE v.document = number AND v.version = document.version) = \
                (SELECT body FROM published_body p WHERE p.document = id AND p.version = published_version) \
                THEN 'published' ELSE 'changed' END WHERE id = ?
                """
        ).execute(arguments: [id.text])
    }
}
