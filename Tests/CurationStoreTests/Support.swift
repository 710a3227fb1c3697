import Beacon
import Curation
import CurationStore
import Foundation
import Publishing
import SiteFormat
import TestSupport

/// A store in a folder of its own, and instants that only go forward when told to.
struct Bench {
    let folder: TemporaryFolder
    let store: CurationStore
    let start = Moment(Timestamp(seconds: 1_800_000_000))
    let ana = Author("ana")
    let ben = Author("ben")

    init(_ limits: StoreLimits = StoreLimits()) throws {
        folder = try TemporaryFolder()
        store = try CurationStore(folder: folder.path, limits: limits, passwordCost: .test)
    }

    func at(_ seconds: Double) -> Moment { Moment(start.time.advanced(bySeconds: seconds)) }

    @discardableResult
    func add(_ document: Document, at seconds: Double = 0) async throws -> StoredDocument {
        try await store.save(document, as: nil, over: nil, by: ana, at: at(seconds))
    }

    func beacon(_ name: String, minor: UInt16? = nil) -> Document {
        var body = BeaconDocument()
        body.name = LocalizedText(name, in: .english)
        if let minor {
            body.uuid = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)
            body.major = 1
            body.minor = minor
        }
        return .beacon(body)
    }

    func image(_ title: String, of beacon: DocumentID? = nil) -> Document {
        var body = ImageDocument()
        body.title = LocalizedText(title, in: .english)
        body.beacon = beacon
        return .image(body)
    }

    func titles(of beacon: DocumentID?) async throws -> [String] {
        try await store.images(of: beacon).compactMap { $0.document.image?.title[.english] }
    }
}

extension Document {
    /// The same with another title or name.
    func titled(_ title: String) -> Document {
        switch self {
        case .beacon(var body):
            body.name[.english] = title
            return .beacon(body)
        case .image(var body):
            body.title[.english] = title
            return .image(body)
        default: return self
        }
    }
}

/// The error that a call throws; nil if it throws none.
func failure(_ body: () async throws -> some Sendable) async -> StoreError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? StoreError
    }
}

extension Bench {
    /// Publishes with the builder of the server.
    @discardableResult
    func publish(
        _ selection: Set<DocumentID>? = nil, at seconds: Double = 0, note: String = ""
    ) async throws -> Revision {
        try await store.publish(selection, note: note, by: ana, at: at(seconds), build: builder(at: seconds))
    }

    func builder(at seconds: Double) -> CurationStore.Builder {
        let moment = at(seconds)
        return { number, documents in
            try SiteBuilder.build(documents: documents, revision: number, at: moment)
        }
    }

    /// Saves a document again under another title.
    @discardableResult
    func retitle(_ id: DocumentID, _ title: String, at seconds: Double = 0) async throws -> StoredDocument {
        let current = try await store.document(id)
        return try await store.save(
            current.document.titled(title), as: id, over: current.version, by: ana, at: at(seconds))
    }

    /// A picture of the library; the number makes its bytes different from those of others.
    func media(_ number: Int) -> Document {
        let hash = AssetHash(of: Array("\(number)".utf8))
        var body = MediaDocument(hash: hash, bytes: 1000, mediaType: "image/png")
        body.name = "picture \(number)"
        return .media(body)
    }

    /// An image that has all that publishing needs.
    func whole(_ title: String, of beacon: DocumentID?, picture: DocumentID) -> Document {
        var body = ImageDocument()
        body.title = LocalizedText(title, in: .english)
        body.beacon = beacon
        body.picture = PictureUse(picture)
        body.widthCm = 30
        return .image(body)
    }
}

/// All bytes of a file.
func readAll(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}
