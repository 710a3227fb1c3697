package import Curation
package import SiteFormat

/// The contents of an exported ZIP file: the static site as it is published, in `v1/`, and everything that curators
/// edit, below `curation/`. Unpacked into a folder, it can be served. Imported into an empty server, it gives the same
/// documents.
package enum SiteArchive {
    static let documents = "curation/documents.jsonl"
    static let about = "curation/export.json"
    static let media = "curation/media/"
    static let assets = "v1/assets/"
    /// The most bytes of the JSON of all documents: an import keeps them in memory.
    package static let documentsLimit: Int64 = 256 << 20

    /// The entries of the archive, in order.
    ///
    /// - Parameters:
    ///   - documents: the drafts: everything that is not in the bin.
    ///   - built: what is published now; nil if nothing was published yet.
    ///   - limit: the most bytes of the JSON of all documents. No import takes an archive with more than the default.
    ///   - media: the path of a file in the library.
    /// - Throws: `PublishingError` with code `.limit` or `.content`.
    package static func entries(
        documents: [DocumentID: Document], built: BuiltRevision?, atMost limit: Int64 = SiteArchive.documentsLimit,
        media path: (AssetHash) -> String
    ) throws(PublishingError) -> [(name: String, source: ZIPWriter.Source)] {
        var entries: [(name: String, source: ZIPWriter.Source)] = [
            (about, .bytes(Array(#"{"format":1,"made_by":"beacon-content-server"}"#.utf8))),
            (Self.documents, .bytes(try lines(documents, atMost: limit))),
        ]
        let files = Set(documents.values.compactMap { $0.media?.hash })
        for hash in files.subtracting(built?.assets.keys.map(\.self) ?? []).sorted() {
            entries.append((media + hash.description, .file(path(hash))))
        }
        guard let built else { return entries }
        entries.append(("v1/site.json", .bytes(built.list)))
        if let signature = built.signature {
            entries.append(("v1/signatures/\(AssetHash(of: built.list))", .bytes(signature)))
        }
        for (name, file) in built.files.sorted(by: { $0.key < $1.key }) {
            entries.append(("v1/\(name)", .bytes(file.bytes)))
        }
        for hash in built.assets.keys.sorted() { entries.append((assets + hash.description, .file(path(hash)))) }
        return entries
    }

    /// One document per line: `{"id":…,"kind":…,"body":{…}}`.
    private static func lines(
        _ documents: [DocumentID: Document], atMost limit: Int64
    ) throws(PublishingError) -> [UInt8] {
        var text: [UInt8] = []
        for (id, document) in documents.sorted(by: { $0.key < $1.key }) {
            do {
                text += "{\"id\":\"\(id)\",\"kind\":\"\(document.kind.rawValue)\",\"body\":".utf8
                text += try document.json()
                text += "}\n".utf8
            } catch {
                throw PublishingError(.content, place: "\(id)", error.cause, remedy: error.remedy)
            }
            guard Int64(text.count) <= limit else {
                throw PublishingError(
                    .limit, place: Self.documents,
                    "the documents have more than \(limit) bytes, and no import takes such an archive",
                    remedy: "keep them with beacon-content-server backup, or delete some")
            }
        }
        return text
    }
}

/// The contents of an archive that is imported.
package struct ArchiveContents {
    package let documents: [DocumentID: Document]
    /// Where each document is: the file in the archive, and its line.
    package let places: [DocumentID: String]
    /// The library's files in the archive.
    package let media: [AssetHash: ZIPReader.Entry]

    /// - Throws: `PublishingError` with code `.format` or `.limit`. Its place is the line.
    package init(_ archive: ZIPReader, source: String, limits: ArchiveLines.Limits = .init()) throws {
        guard let text = try archive.bytes(SiteArchive.documents, atMost: SiteArchive.documentsLimit) else {
            throw PublishingError(
                .format, place: source, "it has no \(SiteArchive.documents)",
                remedy: "import a file that beacon-content-server export has made")
        }
        let name = "\(source): \(SiteArchive.documents)"
        let lines = try ArchiveLines(text, limits: limits, source: name)
        var documents: [DocumentID: Document] = [:]
        var places: [DocumentID: String] = [:]
        for line in lines.lines {
            let place = "\(name):\(line.number)"
            let record = try Self.record(Array(text[line.range]), place)
            guard (record.id == .site) == (record.document.kind == .site),
                documents.updateValue(record.document, forKey: record.id) == nil
            else {
                throw PublishingError(.format, place: place, "\(record.id) is there twice, or of another kind")
            }
            places[record.id] = place
        }
        var media: [AssetHash: ZIPReader.Entry] = [:]
        for (name, entry) in archive.entries {
            for folder in [SiteArchive.media, SiteArchive.assets] where name.hasPrefix(folder) {
                if let hash = AssetHash(String(name.dropFirst(folder.count))) { media[hash] = entry }
            }
        }
        self.documents = documents
        self.places = places
        self.media = media
    }

    private static func record(_ line: [UInt8], _ place: String) throws(PublishingError) -> Record {
        do {
            return try decodeDocument(Record.self, json: line, source: place)
        } catch {
            throw PublishingError(.format, place: error.place, error.cause, remedy: "correct it, or export again")
        }
    }

    private struct Record: Decodable {
        var id: DocumentID
        var document: Document

        enum CodingKeys: String, CodingKey {
            case id, kind, body
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(DocumentID.self, forKey: .id)
            document =
                switch try container.decode(Document.Kind.self, forKey: .kind) {
                case .beacon: .beacon(try container.decode(BeaconDocument.self, forKey: .body))
                case .image: .image(try container.decode(ImageDocument.self, forKey: .body))
                case .media: .media(try container.decode(MediaDocument.self, forKey: .body))
                case .plan: .plan(try container.decode(PlanDocument.self, forKey: .body))
                case .site: .site(try container.decode(SiteDocument.self, forKey: .body))
                }
        }
    }
}
