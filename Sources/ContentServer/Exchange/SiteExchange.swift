package import Curation
package import CurationStore
package import Media
package import Platform
package import Publishing
import SiteFormat
import Text

/// Takes a whole site out of the server and into it.
package struct SiteExchange: Sendable {
    let store: CurationStore
    let media: MediaLibrary
    let publisher: Publisher
    /// Held by an import of an archive, whose documents are all in memory: the others wait with theirs on the disk.
    package let turn = AsyncSemaphore(value: 1)

    package init(store: CurationStore, media: MediaLibrary, publisher: Publisher) {
        self.store = store
        self.media = media
        self.publisher = publisher
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
    /// - Parameters:
    ///   - name: what messages call the archive; nil: its path.
    ///   - check: called before the documents are saved, which may be long after the archive has arrived; throws if the
    ///     author may not import any more.
    /// - Returns: what it has changed.
    /// - Throws: `PublishingError`, `MediaError` or `StoreError`, and what `check` throws.
    package func importArchive(
        _ path: String, named name: String? = nil, withSettings: Bool = true, by author: Author, at now: Moment,
        check: () async throws -> Void = {}
    ) async throws -> ArchivePlan {
        let (media, store, limits) = (media, store, limits)
        return try await inTurn {
            let given: Given = try await OwnThread.run {
                try Self.naming(path, name) {
                    let archive = try Self.read(path, media, store, limits)
                    return (documents: try Self.unpack(archive, into: media), files: archive.given.files)
                }
            }
            let (plan, documents) = try await self.plan(given, withSettings: withSettings)
            try await check()
            try await store.save(all: documents, by: author, at: now)
            return plan
        }
    }

    /// What importing an archive would change. Nothing is stored, and files are not looked at.
    package func planArchive(
        _ path: String, named name: String? = nil, withSettings: Bool = true
    ) async throws -> ArchivePlan {
        let (media, store, limits) = (media, store, limits)
        return try await inTurn {
            let given = try await OwnThread.run {
                try Self.naming(path, name) { try Self.read(path, media, store, limits).given }
            }
            return try await plan(given, withSettings: withSettings).plan
        }
    }

    private func inTurn<Value>(_ work: () async throws -> Value) async throws -> Value {
        guard await turn.waitUnlessCancelled() else { throw CancellationError() }
        defer { turn.signal() }
        return try await work()
    }

    /// No archive has more than the store takes; the settings can be one document more.
    private var limits: ArchiveLines.Limits {
        .init(lines: store.limits.documents + 1, documentBytes: store.limits.documentBytes)
    }

    /// The documents of an archive, and how many of its files the library does not have.
    private typealias Given = (documents: [DocumentID: Document], files: Int)

    /// What importing them would change, and what is saved for that: without files that the library has under other
    /// ids.
    private func plan(
        _ given: Given, withSettings: Bool
    ) async throws -> (plan: ArchivePlan, documents: [DocumentID: Document]) {
        let wanted = Self.wanted(given.documents, withSettings)
        let documents = try await store.withoutKnownFiles(wanted)
        var plan = ArchivePlan(
            documents, over: try await store.documents(Set(documents.keys)), files: given.files)
        plan.unchanged += wanted.count - documents.count
        return (plan, documents)
    }

    /// The settings are the administrators'.
    private static func wanted(
        _ documents: [DocumentID: Document], _ withSettings: Bool
    ) -> [DocumentID: Document] {
        withSettings ? documents : documents.filter { $0.key != .site }
    }

    /// Where an upload lies is nobody's business.
    private static func naming<Value>(_ path: String, _ name: String?, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch var error as PublishingError {
            if let name { error.place = error.place.replacing(path, with: name) }
            throw error
        }
    }

    private struct ReadArchive {
        var archive: ZIPReader
        var documents: [DocumentID: Document]
        /// Files of which the server does not know what they are, by document.
        var missing: [(id: DocumentID, body: MediaDocument, entry: ZIPReader.Entry)] = []
        /// Those of them that the library does not have.
        var new: Set<AssetHash> = []

        var given: Given { (documents, new.count) }
    }

    /// Reads an archive's documents, and finds its files. Blocks.
    private static func read(
        _ path: String, _ library: MediaLibrary, _ store: CurationStore, _ limits: ArchiveLines.Limits
    ) throws -> ReadArchive {
        let archive = try ZIPReader(path)
        let contents = try ArchiveContents(archive, source: path, limits: limits)
        var read = ReadArchive(archive: archive, documents: contents.documents.mapValues(\.tidied))
        try check(read.documents, path)
        for (id, document) in read.documents.sorted(by: { $0.key < $1.key }) {
            guard var body = document.media else { continue }
            if let size = library.size(of: body.hash) {
                let hash = "\(body.hash)"
                if let known = try OwnThread.wait(for: { try await store.media(named: hash)?.document.media }) {
                    let place = contents.places[id] ?? "\(path): \(id)"
                    try check(body, isLike: known, place)
                    // A damaged file of the library is taken from the archive.
                    if size == known.bytes {
                        // Other versions of this server may tell it otherwise, and nobody can correct it.
                        body.likeness = known.likeness
                        read.documents[id] = .media(body)
                        continue
                    }
                    read.new.insert(body.hash)
                }
            } else {
                read.new.insert(body.hash)
            }
            guard let entry = contents.media[body.hash] else {
                throw PublishingError(
                    .format, place: "\(path): \(id)", "the file \(body.hash) of \(body.name) is missing in the archive",
                    remedy: "export it again")
            }
            read.missing.append((id, body, entry))
        }
        return read
    }

    /// What the library has found of a file is true, and an archive that says something else has been changed.
    private static func check(
        _ body: MediaDocument, isLike known: MediaDocument, _ place: String
    ) throws(PublishingError) {
        let isLike =
            (body.mediaType, body.bytes, body.width, body.height)
            == (known.mediaType, known.bytes, known.width, known.height)
        guard !isLike else { return }
        let hasOtherBytes = body.bytes != known.bytes
        func size(_ body: MediaDocument) -> String {
            var text = ""
            if let width = body.width, let height = body.height { text += " of \(width) × \(height)" }
            if hasOtherBytes { text += " (\(body.bytes) bytes)" }
            return text
        }
        throw PublishingError(
            .content, place: place,
            "the file \(body.hash) is \(known.mediaType)\(size(known)), and not \(body.mediaType)\(size(body))",
            remedy: "correct it where the archive was made, and export again")
    }

    /// Puts the archive's files into the library, each checked as if it were uploaded, and returns the documents with
    /// what the library says of them. Blocks.
    private static func unpack(
        _ read: ReadArchive, into library: MediaLibrary
    ) throws -> [DocumentID: Document] {
        var documents = read.documents
        for (id, former, entry) in read.missing {
            var body = former
            let name = body.name
            let upload = try OwnThread.wait { try await library.beginUpload(name: name) }
            try read.archive.read(entry) { bytes in try OwnThread.wait { try await upload.write(bytes) } }
            let stored = try OwnThread.wait { try await library.finish(upload) }
            // What the library found counts, whatever the archive says.
            (body.hash, body.bytes, body.mediaType) = (stored.hash, stored.bytes, stored.mediaType)
            (body.width, body.height, body.likeness) = (stored.width, stored.height, stored.likeness)
            documents[id] = .media(body)
        }
        return documents
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
