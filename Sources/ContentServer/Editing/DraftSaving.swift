import Curation
import CurationStore

/// Saves drafts for pages and for the API alike: tidied, checked, and over the version that the editor saw.
struct DraftSaving: Sendable {
    var services: CuratorServices
    var site: SiteDocument
    var author: Author

    /// Saves a draft.
    ///
    /// - Parameters:
    ///   - version: the version that the editor saw; nil for a new document.
    ///   - mistakes: what could not be read from a form.
    func save(
        _ document: Document, as id: DocumentID?, over version: Int64?, mistakes: [FieldMistake] = []
    ) async throws -> SaveOutcome {
        let tidy = document.tidied
        var check = DocumentCheck(site: site)
        let used = try await services.store.documents(Set(tidy.references.map(\.id)))
        check.document = { used[$0]?.document }
        let all =
            mistakes
            + check.mistakes(in: tidy).filter { found in
                !mistakes.contains { $0.field == found.field }
            }
        guard all.isEmpty else { return .refused(all) }
        do throws(StoreError) {
            return .saved(
                try await services.store.save(tidy, as: id, over: version, by: author, at: services.now()))
        } catch {
            if error.code == .conflict, let current = error.current { return .conflict(current) }
            guard let mistake = try await mistake(of: error) else { throw error }
            return .refused([mistake])
        }
    }

    /// What the store refuses because of other documents, beside its field.
    func mistake(of error: StoreError) async throws -> FieldMistake? {
        switch error.code {
        case .limit where error.field == "beacon":
            return FieldMistake("beacon", Problem(.tooManyImages, "\(site.maximumImages)"))
        case .taken where error.field == "uuid":
            var name = ""
            if let other = error.other {
                name = try await services.store.document(other).document.name(in: site.languages)
            }
            return FieldMistake("uuid", Problem(.identityTaken, name))
        case .invalid where error.field == "beacon":
            return FieldMistake("beacon", Problem(.gone))
        default:
            guard let field = error.field, field.hasPrefix("contents.") else { return nil }
            return FieldMistake(field + ".side", Problem(.sideTaken))
        }
    }

    /// Puts a clean file into the library. The same bytes again are the same document.
    static func add(
        _ media: MediaDocument, _ services: CuratorServices, _ author: Author
    ) async throws(StoreError) -> StoredDocument {
        if let known = try await services.store.media(named: "\(media.hash)") {
            guard known.isDeleted else { return known }
            return try await services.store.restore(known.id, by: author, at: services.now())
        }
        do throws(StoreError) {
            return try await services.store.save(.media(media), as: nil, over: nil, by: author, at: services.now())
        } catch {
            // Two uploads of the same bytes at once.
            guard error.code == .taken, let other = error.other else { throw error }
            return try await services.store.document(other)
        }
    }
}
