import Curation
import GRDB

extension CurationStore {
    /// The changes, newest first.
    package func changes(_ query: ChangeQuery = ChangeQuery()) async throws(StoreError) -> [Change] {
        try await read { db in
            var conditions = ["1"]
            var arguments: StatementArguments = []
            if let id = query.document {
                // Also changes that concern it among others: a new order, or the deletion of its beacon.
                conditions.append("c.number IN (SELECT change FROM change_item WHERE document = ?)")
                arguments += [id.text]
            }
            if let by = query.by {
                conditions.append("c.by = ?")
                arguments += [by]
            }
            if !query.kinds.isEmpty {
                conditions.append(
                    "c.kind IN (\(query.kinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ",")))")
            }
            if let before = query.before {
                conditions.append("c.number < ?")
                arguments += [before]
            }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    \(Self.selectChange) WHERE \(conditions.joined(separator: " AND ")) \
                    ORDER BY c.number DESC LIMIT ?
                    """, arguments: arguments + [max(0, query.limit)])
            var changes: [Change] = []
            while let row = try rows.next() { changes.append(try Self.change(row)) }
            return changes
        }
    }

    /// One change.
    ///
    /// - Throws: `notFound`.
    package func change(_ number: Int64) async throws(StoreError) -> Change {
        try await read { db in try Self.change(number, db) }
    }

    static func change(_ number: Int64, _ db: Database) throws -> Change {
        guard let row = try Row.fetchOne(db, sql: "\(selectChange) WHERE c.number = ?", arguments: [number]) else {
            throw StoreError(.notFound, "there is no change \(number)", remedy: "it may be too old to be kept")
        }
        return try change(row)
    }

    private static let selectChange = """
        SELECT c.*, i.before, i.after, \
        EXISTS (SELECT 1 FROM change_item o WHERE o.change = c.number) AND NOT EXISTS (\
        SELECT 1 FROM change_item o LEFT JOIN document d ON d.id = o.document \
        WHERE o.change = c.number AND d.last_change IS NOT c.number) AS can_be_undone \
        FROM change c LEFT JOIN change_item i ON i.change = c.number AND i.document = c.document
        """

    private static func change(_ row: Row) throws -> Change {
        Change(
            number: try row.integer("number"), at: try row.moment("at"), by: try row.text("by"),
            kind: try row.value("kind", as: Change.Kind.self),
            document: row.optionalText("document").flatMap(DocumentID.init),
            documentKind: row.optionalText("document_kind").flatMap(Document.Kind.init(rawValue:)),
            name: try row.text("name"), before: row.optionalInteger("before"), after: row.optionalInteger("after"),
            revision: row.optionalInteger("revision"), undoes: row.optionalInteger("undoes"),
            canBeUndone: try row.flag("can_be_undone"))
    }
}
