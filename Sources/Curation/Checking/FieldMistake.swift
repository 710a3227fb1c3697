/// A mistake in one field of a document, so that it can be shown beside that field in the reader's language.
package struct FieldMistake: Hashable, Sendable {
    /// The path in the document's JSON: `contents.left.action.value`, `picture.alt`, `uuid`. A content is named by its
    /// side. Empty for the document as a whole.
    package var field: String
    package var problem: Problem

    package init(_ field: String, _ problem: Problem) {
        self.field = field
        self.problem = problem
    }
}
