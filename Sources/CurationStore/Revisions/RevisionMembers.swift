import Curation
import GRDB

/// The documents and versions of a revision.
struct RevisionMembers: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        var kind: Document.Kind
        var version: Int64
    }

    var members: [DocumentID: Member] = [:]

    /// The members of a revision; with nil, those of the current one.
    init(of revision: Int64?, _ db: Database) throws {
        let condition = revision == nil ? "last IS NULL" : "first <= ?1 AND (last IS NULL OR last > ?1)"
        let rows = try Row.fetchCursor(
            db, sql: "SELECT document, kind, version FROM member WHERE \(condition)",
            arguments: revision.map { [$0] } ?? [])
        while let row = try rows.next() {
            members[try row.id("document")] = Member(
                kind: try row.value("kind", as: Document.Kind.self), version: try row.integer("version"))
        }
    }

    /// The members of the current revision, with drafts in place of the selected documents.
    ///
    /// - Parameter selection: nil for all drafts and nothing else.
    init(drafts selection: Set<DocumentID>?, _ db: Database) throws {
        let drafts = try Self.drafts(db)
        guard let selection else {
            members = drafts
            return
        }
        let published = try RevisionMembers(of: nil, db).members
        members = published
        for id in try Self.closure(of: selection, published: published, drafts: drafts, db) { members[id] = drafts[id] }
    }

    private static func drafts(_ db: Database) throws -> [DocumentID: Member] {
        var drafts: [DocumentID: Member] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT id, kind, version FROM document WHERE deleted_at IS NULL")
        while let row = try rows.next() {
            drafts[try row.id("id")] = Member(
                kind: try row.value("kind", as: Document.Kind.self), version: try row.integer("version"))
        }
        return drafts
    }

    /// The selection with everything that the selected drafts need and that is not published yet, such as a new image's
    /// new picture, and with the images of a beacon that was put into the bin.
    private static func closure(
        of selection: Set<DocumentID>, published: [DocumentID: Member], drafts: [DocumentID: Member], _ db: Database
    ) throws -> Set<DocumentID> {
        var closure = selection
        var open = Array(selection)
        let uses = try db.cachedStatement(
            sql: "SELECT u.target FROM use u JOIN document d ON d.number = u.document WHERE d.id = ?")
        let companions = try db.cachedStatement(sql: "SELECT id FROM document WHERE deleted_with = ?")
        while let id = open.popLast() {
            if drafts[id] != nil {
                for row in try Row.fetchAll(uses, arguments: [id.text]) {
                    let target = try row.id("target")
                    if published[target] == nil, drafts[target] != nil, closure.insert(target).inserted {
                        open.append(target)
                    }
                }
            } else {
                for row in try Row.fetchAll(companions, arguments: [id.text]) { closure.insert(try row.id("id")) }
            }
        }
        return closure
    }
}

extension CurationStore {
    /// The bodies of a revision's members: published bodies or drafts.
    func documents(of members: RevisionMembers, _ db: Database) throws -> [DocumentID: Document] {
        var documents: [DocumentID: Document] = [:]
        documents.reserveCapacity(members.members.count)
        let draft = try db.cachedStatement(
            sql: """
                SELECT v.version, v.at, v.body FROM document d JOIN version v ON v.document = d.number \
                WHERE d.id = ? AND v.version = ?
                """)
        let published = try db.cachedStatement(
            sql: "SELECT version, at, body FROM published_body WHERE document = ? AND version = ?")
        for (id, member) in members.members {
            let key: StatementArguments = [id.text, member.version]
            guard let row = try Row.fetchOne(published, arguments: key) ?? Row.fetchOne(draft, arguments: key) else {
                throw StoreError.damaged("a revision without version \(member.version) of \(id)")
            }
            documents[id] = try body(row, id, member.kind)
        }
        return documents
    }
}
