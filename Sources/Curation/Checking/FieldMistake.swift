/// What is wrong with one field of a document, so that it can be shown beside that field in the reader's language.
package struct FieldMistake: Hashable, Sendable {
    /// The path in the document's JSON: `contents.left.action.value`, `picture.alt`, `uuid`. A content is named by
    /// its side. Empty for the document as a whole.
    package var field: String
    package var problem: Problem

    package init(_ field: String, _ problem: Problem) {
        self.field = field
        self.problem = problem
    }
}

/// A problem with values in it, apart from the language it is told in.
package struct Problem: Hashable, Sendable {
    /// The name under which every language has its text, such as `too_many_images`.
    package var code: Code
    /// What stands for `{0}`, `{1}` … in the text.
    package var arguments: [String]

    package init(_ code: Code, _ arguments: String...) {
        self.code = code
        self.arguments = arguments
    }

    /// Every code has an English text here; the pages have it in their languages under `problem.CODE`.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case missing
    }
}
