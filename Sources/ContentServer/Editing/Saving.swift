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
        let tidy = document.tidied
        var check = DocumentCheck(site: site)
        let used = try await store.documents(Set(tidy.references.map(\.id)))
        check.document = { used[$0]?.document }
        let all = mistakes + check.mistakes(in: tidy).filter { found in
            !mistakes.contains { $0.field == found.field }
        }
        guard all.isEmpty else { return .refused(all) }
        do throws(StoreError) {
            return .saved(try await store.save(tidy, as: id, over: version, by: author, at: now))
        } catch {
            if error.code == .conflict, let current = error.current { return .conflict(current) }
            guard let mistake = try await mistake(of: error) else { throw error }
            return .refused([mistake])
        }
    }

    /// The version that the form showed.
    var version: Int64? { form["version"].flatMap { Int64($0) } }

    /// What the store refuses because of other documents, beside its field.
    func mistake(of error: StoreError) async throws -> FieldMistake? {
        switch error.code {
        case .limit where error.field == "beacon":
            return FieldMistake("beacon", Problem(.tooManyImages, "\(site.maximumImages)"))
        case .taken where error.field == "uuid":
            var name = ""
            if let other = error.other { name = self.name(of: try await store.document(other).document) }
            return FieldMistake("uuid", Problem(.identityTaken, name))
        case .invalid where error.field == "beacon":
            return FieldMistake("beacon", Problem(.gone))
        default:
            guard let field = error.field, field.hasPrefix("contents.") else { return nil }
            return FieldMistake(field + ".side", Problem(.sideTaken))
        }
    }
}
