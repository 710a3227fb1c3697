import Curation
import GRDB
import SiteFormat

extension CurationStore {
    /// The faults of the stored data; empty if there are none. It reads everything, so it takes a while.
    package func check() async throws(StoreError) -> [Finding] {
        try await read { db in
            var findings: [Finding] = []
            for line in try String.fetchAll(db, sql: "PRAGMA integrity_check(20)") where line != "ok" {
                findings.append(Finding("database", line))
            }
            for row in try Row.fetchAll(db, sql: "PRAGMA foreign_key_check") {
                findings.append(
                    Finding("database", "a row of \(row.optionalText("table") ?? "") has lost its other part"))
            }
            // All further checks would throw if SQLite cannot read the file.
            guard findings.isEmpty else { return findings }
            findings += try self.checkDocuments(db)
            findings += try self.checkRevisions(db)
            return findings
        }
    }

    private func checkDocuments(_ db: Database) throws -> [Finding] {
        var findings: [Finding] = []
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT d.id, d.kind, d.state, d.version = v.version AS is_current, v.version, v.body FROM document d \
                LEFT JOIN version v ON v.document = d.number
                """)
        let uses = try db.cachedStatement(
            sql: """
                SELECT u.field, u.target FROM use u JOIN document d ON d.number = u.document WHERE d.id = ?
                """)
        while let row = try rows.next() {
            let id = try row.text("id")
            guard let version = row.optionalInteger("version"), let json = row.optionalBytes("body") else {
                findings.append(Finding("document \(id)", "it has no body"))
                continue
            }
            do {
                _ = try row.value("state", as: StoredDocument.State.self)
                let document = try decode(row.value("kind", as: Document.Kind.self), json, row.id("id"))
                guard try row.flag("is_current") else { continue }
                let wanted = Set(document.references.map { "\($0.field) \($0.id)" })
                let found = Set(
                    try Row.fetchAll(uses, arguments: [id]).map { "\(try $0.text("field")) \(try $0.text("target"))" })
                if wanted != found { findings.append(Finding("document \(id)", "what it uses is not listed")) }
            } catch {
                findings.append(Finding("document \(id) version \(version)", "\(error)"))
            }
        }
        for id in try String.fetchAll(
            db,
            sql: """
                SELECT id FROM document d WHERE NOT EXISTS (SELECT 1 FROM version v WHERE v.document = d.number \
                AND v.version = d.version) OR published_version IS NOT (SELECT m.version FROM member m \
                WHERE m.document = d.id AND m.last IS NULL)
                """)
        { findings.append(Finding("document \(id)", "its version is not what the revision says")) }
        return findings
    }

    private func checkRevisions(_ db: Database) throws -> [Finding] {
        var findings: [Finding] = []
        for (table, key) in [("member", "document"), ("file", "path"), ("asset", "hash")] {
            let overlaps = try String.fetchAll(
                db,
                sql: """
                    SELECT a.\(key) FROM \(table) a JOIN \(table) b ON b.\(key) = a.\(key) AND b.first > a.first \
                    WHERE a.last IS NULL OR a.last > b.first
                    """)
            findings += overlaps.map { Finding("\(table) \($0)", "two of it are in one revision") }
        }
        for path in try String.fetchAll(
            db, sql: "SELECT path FROM file f WHERE NOT EXISTS (SELECT 1 FROM file_body b WHERE b.hash = f.hash)")
        { findings.append(Finding("file \(path)", "its bytes are missing")) }
        for id in try String.fetchAll(
            db,
            sql: """
                SELECT document FROM member m WHERE NOT EXISTS (SELECT 1 FROM published_body b \
                WHERE b.document = m.document AND b.version = m.version)
                """)
        { findings.append(Finding("document \(id)", "its published body is missing")) }
        let bodies = try Row.fetchCursor(db, sql: "SELECT hash, body FROM file_body")
        while let row = try bodies.next() {
            let hash = try row.hash("hash")
            if AssetHash(of: try row.bytes("body")) != hash {
                findings.append(Finding("file \(hash)", "its bytes are not those that were published"))
            }
        }
        return findings + (try checkLists(db))
    }

    /// Checks that every file that a revision's list names belongs to the revision, with the same bytes.
    private func checkLists(_ db: Database) throws -> [Finding] {
        var findings: [Finding] = []
        let file = try db.cachedStatement(
            sql: "SELECT hash FROM file WHERE path = ?1 AND first <= ?2 AND (last IS NULL OR last > ?2)")
        let rows = try Row.fetchCursor(db, sql: "SELECT number, list FROM revision WHERE list IS NOT NULL")
        while let row = try rows.next() {
            let number = try row.integer("number")
            do {
                let list = try SiteList(json: row.bytes("list"), source: "revision \(number)")
                guard list.revision == number else {
                    findings.append(Finding("revision \(number)", "its list has another number"))
                    continue
                }
                for entry in list.entries.values {
                    let found = try String.fetchOne(file, arguments: [entry.manifest.description, number])
                    if found != "\(entry.sha256)" {
                        findings.append(Finding("revision \(number)", "\(entry.manifest) is not the file of its list"))
                    }
                }
            } catch {
                findings.append(Finding("revision \(number)", "\(error)"))
            }
        }
        return findings
    }
}

/// A fault of the stored data.
package struct Finding: Hashable, Sendable, CustomStringConvertible {
    package var place: String
    package var problem: String

    package init(_ place: String, _ problem: String) {
        self.place = place
        self.problem = problem
    }

    package var description: String { "\(place): \(problem)" }
}
