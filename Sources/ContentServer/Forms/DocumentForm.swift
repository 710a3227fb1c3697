import Curation

/// A form that edits one document, in one language.
protocol DocumentForm: Sendable {
    associatedtype Body: Hashable

    var language: Language { get }

    /// What the fields show.
    func values(of body: Body) -> FormValues
    /// Takes what the fields say into the document. A value that cannot be read leaves the document's as it was, and is
    /// among the mistakes.
    func read(_ values: FormValues, into body: inout Body) -> [FieldMistake]
}
