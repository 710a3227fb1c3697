import Curation
import Foundation
import GRDB
import SiteFormat

extension CurationStore {
    /// Writes a revision after the current one. Only the differences are written.
    ///
    /// - Parameter always: if false, a revision with the same files is not written, and the current one is returned.
    func put(
        _ built: BuiltRevision, as number: Int64, _ wanted: RevisionMembers, _ documents: [DocumentID: Document],
        _ plan: RevisionPlan, after current: Int64?, always: Bool, _ db: Database
    ) throws -> (Revision, Bool) {
        let files = Span(table: "file", key: "path", columns: ["hash"])
        let assets = Span(table: "asset", key: "hash", columns: ["bytes", "media_type"])
        let fileRows = built.files.mapValues { ["\($0.hash)"] }
        let assetRows = Dictionary(
            uniqueKeysWithValues: built.assets.map { ("\($0.key)", ["\($0.value.bytes)", $0.value.mediaType]) })
        let fileChange = try files.difference(to: fileRows, db)
        let assetChange = try assets.difference(to: assetRows, db)
        if !always, let current, fileChange.isEmpty, assetChange.isEmpty {
            return (try Self.revision(current, db), false)
        }
        let insertBody = try db.cachedStatement(sql: "INSERT OR IGNORE INTO file_body (hash, body) VALUES (?, ?)")
        for path in fileChange.put.keys.sorted() {
            guard let file = built.files[path] else { continue }
            try insertBody.execute(arguments: ["\(file.hash)", Data(file.bytes)])
        }
        try files.apply(fileChange, number, db)
        try assets.apply(assetChange, number, db)
        let changed = try putMembers(wanted, documents, number, db)
        try db.execute(
            sql: """
                INSERT INTO revision (number, at, by, kind, note, source, documents, changed, list, signature) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                number, plan.now.microseconds, plan.author.name, plan.kind.rawValue, String(plan.note.prefix(2000)),
                plan.source, wanted.members.count, changed, Data(built.list), built.signature.map { Data($0) },
            ])
        let work = try Work(self, db, plan.author, plan.now)
        _ = try work.change(plan.change, nil, nil, String(plan.note.prefix(300)), revision: number)
        return (try Self.revision(number, db), true)
    }

    /// - Returns: the number of documents that differ from the revision before.
    private func putMembers(
        _ wanted: RevisionMembers, _ documents: [DocumentID: Document], _ number: Int64, _ db: Database
    ) throws -> Int {
        let members = Span(table: "member", key: "document", columns: ["kind", "version"])
        let rows = Dictionary(
            uniqueKeysWithValues: wanted.members.map { ($0.key.text, [$0.value.kind.rawValue, "\($0.value.version)"]) })
        let change = try members.difference(to: rows, db)
        // Copied, because documents can be deleted permanently, and old versions are removed.
        let copy = try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO published_body (document, version, at, body) \
                SELECT d.id, v.version, v.at, v.body FROM document d JOIN version v ON v.document = d.number \
                WHERE d.id = ? AND v.version = ?
                """)
        let isThere = try db.cachedStatement(sql: "SELECT 1 FROM published_body WHERE document = ? AND version = ?")
        for (text, _) in change.put {
            guard let id = DocumentID(text), let member = wanted.members[id] else { continue }
            try copy.execute(arguments: [text, member.version])
            if try Int.fetchOne(isThere, arguments: [text, member.version]) == nil {
                throw StoreError(
                    .conflict, "\(id) was deleted for good while it was published", remedy: "publish again")
            }
        }
        try members.apply(change, number, db)
        let mark = try db.cachedStatement(sql: "UPDATE document SET published_version = ? WHERE id = ?")
        for text in change.put.keys.sorted() + change.ended.sorted() {
            guard let id = DocumentID(text) else { continue }
            try mark.execute(arguments: [wanted.members[id]?.version, text])
            try refreshState(id, db)
        }
        return Set(change.put.keys).union(change.ended).count
    }
}

/// A table of rows that belong to the revisions from `first` up to, but not including, `last`.
struct Span {
    struct Difference {
        /// New and changed rows.
        var put: [String: [String]] = [:]
        /// The keys of rows that the new revision does not have, or has with other values.
        var ended: Set<String> = []

        var isEmpty: Bool { put.isEmpty && ended.isEmpty }
    }

    var table: String
    var key: String
    var columns: [String]

    /// The differences between the rows of the current revision and these.
    func difference(to rows: [String: [String]], _ db: Database) throws -> Difference {
        var difference = Difference(put: rows)
        let cursor = try Row.fetchCursor(
            db,
            sql: "SELECT \(key), \(columns.map { "CAST(\($0) AS TEXT) AS \($0)" }.joined(separator: ", ")) "
                + "FROM \(table) WHERE last IS NULL")
        while let row = try cursor.next() {
            let name = try row.text(key)
            if let wanted = rows[name], try columns.map(row.text) == wanted {
                difference.put[name] = nil
            } else {
                difference.ended.insert(name)
            }
        }
        return difference
    }

    func apply(_ difference: Difference, _ number: Int64, _ db: Database) throws {
        let end = try db.cachedStatement(sql: "UPDATE \(table) SET last = ? WHERE \(key) = ? AND last IS NULL")
        for name in difference.ended.sorted() { try end.execute(arguments: [number, name]) }
        let marks = Array(repeating: "?", count: columns.count + 2).joined(separator: ", ")
        let insert = try db.cachedStatement(
            sql: "INSERT INTO \(table) (\(key), first, \(columns.joined(separator: ", "))) VALUES (\(marks))")
        for (name, values) in difference.put.sorted(by: { $0.key < $1.key }) {
            // An integer column accepts numbers as text (sqlite.org/stricttables.html).
            try insert.execute(arguments: [name, number] + StatementArguments(values))
        }
    }
}
