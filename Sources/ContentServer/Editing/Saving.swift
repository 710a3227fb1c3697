import Curation
import CurationStore
import Serving

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

    /// Saves what a form says over the version that it showed. What others have saved meanwhile in other fields stays.
    ///
    /// - Parameters:
    ///   - view: gets what the form is to hold if it comes back, and what others have saved in the same fields.
    ///   - show: what the form shows of a document.
    ///   - read: takes what the form says into a document.
    func save(
        _ typed: FormValues, as stored: StoredDocument, into view: inout FormView,
        show: (Document) -> FormValues, read: (FormValues, inout Document) async throws -> [FieldMistake]
    ) async throws -> SaveOutcome {
        var (values, seen) = (typed, version)
        // Nil where that version is not kept any more: then everything that differs is compared.
        var base = try await base(of: stored)
        for _ in 0..<Self.mostMerges {
            var document = base ?? stored.document
            let mistakes = try await read(values, &document)
            let outcome = try await save(document, as: stored.id, over: seen, mistakes: mistakes)
            guard case .conflict(let current) = outcome else { return outcome }
            view.merge(values, base: base.map(show) ?? FormValues(), current: show(current.document))
            guard view.others.isEmpty, !current.isDeleted else { return outcome }
            (values, base, seen) = (view.values, current.document, current.version)
        }
        throw Refusal(409, "this is saved by others all the time", whatToDo: "try again")
    }

    /// The same for a form that edits the whole document.
    ///
    /// - Parameters:
    ///   - body: what the form edits of a document.
    ///   - document: the document with this body.
    func save<Form: DocumentForm>(
        _ typed: FormValues, as stored: StoredDocument, into view: inout FormView, by form: Form,
        _ body: (Document) -> Form.Body?, _ document: (Form.Body) -> Document
    ) async throws -> SaveOutcome {
        try await save(typed, as: stored, into: &view) {
            body($0).map(form.values) ?? FormValues()
        } read: { values, edited in
            guard var new = body(edited) else { return [] }
            let mistakes = form.read(values, into: &new)
            edited = document(new)
            return mistakes
        }
    }

    /// How often a form is merged with what others save at the same time.
    private static let mostMerges = 5

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
