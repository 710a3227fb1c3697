import Curation
import CurationStore

/// What came of saving a draft.
enum SaveOutcome: Sendable {
    case saved(StoredDocument)
    /// Nothing was saved; each mistake belongs beside a field.
    case refused([FieldMistake])
    /// Somebody else has saved the same field meanwhile: what is stored now.
    case conflict(StoredDocument)
}

extension Editing {
    /// Saves a draft.
    ///
    /// - Parameters:
    ///   - version: the version that the form showed; nil for a new document.
    ///   - mistakes: what could not be read from the form.
    func save(
        _ document: Document, as id: DocumentID?, over version: Int64?, mistakes: [FieldMistake] = []
    ) async throws -> SaveOutcome {
        try await drafts.save(document, as: id, over: version, mistakes: mistakes)
    }

    private var drafts: DraftSaving { DraftSaving(services: services, site: site, author: author) }

    /// What the store refuses because of other documents, beside its field.
    func mistake(of error: StoreError) async throws -> FieldMistake? { try await drafts.mistake(of: error) }

    /// The version that the form showed.
    var version: Int64? { form["version"].flatMap { Int64($0) } }

    /// As the form saw it: sent again, a refused form still meets what others saved meanwhile.
    func seen(_ stored: StoredDocument) -> StoredDocument {
        var seen = stored
        seen.version = version ?? stored.version
        return seen
    }
}
