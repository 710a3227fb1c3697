package import Curation

/// The changes that an import of a table would make. Nothing is changed before a person has seen them.
package struct TablePlan: Hashable, Sendable {
    /// The documents as they would be saved, with the line that causes each change, in the table's order.
    package var changes: [Change] = []
    /// The number of lines that change nothing.
    package var unchanged = 0
    /// The mistakes, by line. If there are any, nothing is imported.
    package var mistakes: [Mistake] = []

    package struct Change: Hashable, Sendable {
        package var line: Int
        package var id: DocumentID
        /// Nil for a new document.
        package var before: Document?
        package var after: Document
    }

    package struct Mistake: Hashable, Sendable {
        package var line: Int
        /// The column's name.
        package var column: String
        package var problem: Problem
        /// The problem in English.
        package var text: String { problem.english }

        init(_ line: Int, _ column: String, _ problem: Problem) {
            (self.line, self.column, self.problem) = (line, column, problem)
        }
    }

    /// The documents after the import. If several lines concern one document, its last state counts.
    package var documents: [DocumentID: Document] {
        Dictionary(changes.map { ($0.id, $0.after) }) { _, last in last }
    }
}
