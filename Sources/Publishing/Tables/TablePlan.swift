package import Curation

/// What importing a table would do. Nothing is done before somebody has seen it.
package struct TablePlan: Hashable, Sendable {
    /// The documents as they would be saved, with the line that is the reason, in the table's order.
    package var changes: [Change] = []
    /// Lines that change nothing.
    package var unchanged = 0
    /// What is wrong, by line. With any, nothing is imported.
    package var mistakes: [Mistake] = []

    package struct Change: Hashable, Sendable {
        package var line: Int
        package var id: DocumentID
        /// Nil: it would be new.
        package var before: Document?
        package var after: Document
    }

    package struct Mistake: Hashable, Sendable {
        package var line: Int
        /// The column's name.
        package var column: String
        package var problem: Problem
        /// In English.
        package var text: String { problem.english }

        init(_ line: Int, _ column: String, _ problem: Problem) {
            (self.line, self.column, self.problem) = (line, column, problem)
        }
    }

    /// Several lines may concern one document: the last state counts.
    package var documents: [DocumentID: Document] {
        Dictionary(changes.map { ($0.id, $0.after) }) { _, last in last }
    }
}
