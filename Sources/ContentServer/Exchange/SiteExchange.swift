package import Curation
package import CurationStore
package import Media
import Platform
package import Publishing
import SiteFormat
import Text

/// Takes a whole site out of the server and into it.
package struct SiteExchange: Sendable {
    let store: CurationStore
    let media: MediaLibrary
    let publisher: Publisher

    package init(store: CurationStore, media: MediaLibrary, publisher: Publisher) {
        self.store = store
        self.media = media
        self.publisher = publisher
    }

    /// What was imported.
    package struct Outcome: Hashable, Sendable {
        package var documents: Int
        /// Files that the library did not have.
        package var files: Int
    }

    /// The entries of an archive with everything: drafts, the published site, and the library's files.
    package func archive() async throws -> [(name: String, source: ZIPWriter.Source)] {
        let documents = try await store.drafts()
        let (built, media) = (publisher.site?.built, media)
        return try await OwnThread.run {
            try SiteArchive.entries(documents: documents, built: built) { media.path(of: $0) }
        }
    }

    /// Imports an archive: all of its documents or none. Existing ones get a new version, which can be undone.
    ///
    /// - Throws: `PublishingError`, `MediaError` or `StoreError`.
    package func importArchive(
        _ path: String, withSettings: Bool = true, by author: Author, at now: Moment
    ) async throws -> Outcome {
        let media = media
        let (all, files) = try await OwnThread.run { try Self.unpack(path, into: media) }
        // The settings are the administrators'.
        let documents = withSettings ? all : all.filter { $0.key != .site }
        try await store.save(all: documents, by: author, at: now)
        return Outcome(documents: documents.count, files: files)
    }

    /// Puts the archive's files into the library, each checked as if it were uploaded. Blocks.
    private static func unpack(
        _ path: String, into library: MediaLibrary
    ) throws -> (documents: [DocumentID: Document], files: Int) {
        let archive = try ZIPReader(path)
        let contents = try ArchiveContents(archive, source: path)
        var documents = contents.documents.mapValues(\.tidied)
        try check(documents, path)
        var files = 0
        for (id, document) in documents.sorted(by: { $0.key < $1.key }) {
            guard var body = document.media else { continue }
            if library.size(of: body.hash) == body.bytes { continue }
            guard let entry = contents.media[body.hash] else {
                throw PublishingError(
                    .format, place: "\(path): \(id)", "the file \(body.hash) of \(body.name) is missing in the archive",
                    remedy: "export it again")
            }
            let name = body.name
            let upload = try OwnThread.wait { try await library.beginUpload(name: name) }
            try archive.read(entry) { bytes in try OwnThread.wait { try await upload.write(bytes) } }
            let stored = try OwnThread.wait { try await library.finish(upload) }
            files += 1
            // What the library found counts, whatever the archive says.
            (body.hash, body.bytes, body.mediaType) = (stored.hash, stored.bytes, stored.mediaType)
            (body.width, body.height, body.likeness) = (stored.width, stored.height, stored.likeness)
            documents[id] = .media(body)
        }
        return (documents, files)
    }

    /// The same rules as for what is typed.
    private static func check(_ documents: [DocumentID: Document], _ path: String) throws(PublishingError) {
        var check = DocumentCheck(site: documents[.site]?.site ?? SiteDocument())
        check.document = { documents[$0] }
        for (id, document) in documents.sorted(by: { $0.key < $1.key }) {
            guard let mistake = check.mistakes(in: document).first else { continue }
            throw PublishingError(
                .content, place: "\(path): \(id).\(mistake.field)", mistake.problem.english,
                remedy: "correct it where the archive was made, and export again")
        }
    }

    // MARK: - Tables

    /// Which table.
    package enum Table: String, Hashable, Sendable, CaseIterable {
        case beacons, texts
    }

    package func table(_ table: Table) async throws -> CSVTable {
        let documents = try await store.drafts()
        let languages = documents[.site]?.site?.languages ?? [.english]
        return switch table {
        case .beacons: BeaconTable.table(documents, languages: languages)
        case .texts: TranslationTable.table(documents, languages: languages)
        }
    }

    /// What importing a table would do.
    package func plan(_ table: Table, _ bytes: [UInt8], source: String) async throws -> TablePlan {
        let documents = try await store.drafts()
        return try await OwnThread.run {
            let read = try CSVTable(bytes, source: source)
            return switch table {
            case .beacons: BeaconTable.plan(read, documents: documents)
            case .texts: TranslationTable.plan(read, documents: documents)
            }
        }
    }

    /// Saves what a plan without mistakes would change.
    package func carryOut(_ plan: TablePlan, by author: Author, at now: Moment) async throws -> Int {
        if let mistake = plan.mistakes.first {
            throw PublishingError(
                .content, place: "line \(mistake.line), \(mistake.column)", mistake.text,
                remedy: "correct it and import the table again")
        }
        guard !plan.documents.isEmpty else { return 0 }
        let bases = plan.changes.compactMap { change in change.before.map { (change.id, $0) } }
        try await store.save(
            all: plan.documents, over: Dictionary(bases) { first, _ in first }, by: author, at: now)
        return plan.documents.count
    }

    /// The drafts as a tour in TourML.
    ///
    /// - Parameter base: where the published site is found.
    package func tourML(base: String) async throws -> String {
        let documents = try await store.drafts()
        return try await OwnThread.run { TourML.text(documents, base: base) }
    }
}
