package import Curation
import Foundation
import GRDB
import Platform
import SiteFormat

extension CurationStore {
    /// Builds the files of a revision from its number and its documents. It is called on a thread of its own, and again
    /// if somebody else has published meanwhile.
    package typealias Builder = @Sendable (Int64, [DocumentID: Document]) throws -> BuiltRevision

    /// Publishes drafts as a new revision, completely or not at all.
    ///
    /// - Parameters:
    ///   - selection: only these documents, and what they need that is not published yet. Everything else stays as it
    ///     is published. Nil for all drafts. A selected document that is in the bin is removed from the site.
    ///   - least: the lowest number that the revision may have.
    /// - Throws: the errors of `build`; `busy` if others keep publishing at the same time.
    package func publish(
        _ selection: Set<DocumentID>? = nil, note: String = "", atLeast least: Int64? = nil, by author: Author,
        at now: Moment, build: @escaping Builder
    ) async throws(StoreError) -> Revision {
        let plan = RevisionPlan(kind: .publication, note: note, source: nil, least: least, author: author, now: now)
        return try await publish(plan, always: true, build) { db in try RevisionMembers(drafts: selection, db) }
            .revision
    }

    /// Publishes the documents of an earlier revision again, as a new revision with a higher number. Drafts are not
    /// changed.
    ///
    /// - Throws: `notFound` if there is no such revision or it is not kept; the errors of `build`.
    package func rollBack(
        to number: Int64, note: String = "", atLeast least: Int64? = nil, by author: Author, at now: Moment,
        build: @escaping Builder
    ) async throws(StoreError) -> Revision {
        let plan = RevisionPlan(kind: .rollback, note: note, source: number, least: least, author: author, now: now)
        return try await publish(plan, always: true, build) { db in
            guard try Self.revision(number, db).isKept else { throw Self.notKept(number) }
            return try RevisionMembers(of: number, db)
        }.revision
    }

    /// Builds the documents of the current revision again, for example when an image becomes valid.
    ///
    /// - Returns: the new revision. Nil if its files would be the same; then nothing is changed.
    package func republish(
        by author: Author = .schedule, at now: Moment, build: @escaping Builder
    ) async throws(StoreError) -> Revision? {
        guard try await currentRevision() != nil else { return nil }
        let plan = RevisionPlan(kind: .schedule, note: "", source: nil, author: author, now: now)
        let (revision, isNew) = try await publish(plan, always: false, build) { db in
            try RevisionMembers(of: nil, db)
        }
        return isNew ? revision : nil
    }

    /// The documents that differ from the current revision, sorted by kind and name.
    package func pending() async throws(StoreError) -> [PendingChange] {
        try await read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT * FROM document WHERE state IN ('changed', 'removed') \
                    OR (state = 'unpublished' AND deleted_at IS NULL) ORDER BY kind, sort_name, id
                    """)
            var pending: [PendingChange] = []
            while let row = try rows.next() {
                let what: PendingChange.What =
                    switch try row.value("state", as: StoredDocument.State.self) {
                    case .unpublished: .added
                    case .removed: .removed
                    case .changed, .published: .changed
                    }
                pending.append(
                    PendingChange(
                        id: try row.id("id"), kind: try row.value("kind", as: Document.Kind.self),
                        name: try row.text("name"), what: what, before: row.optionalInteger("published_version"),
                        after: what == .removed ? nil : try row.integer("version"),
                        changedAt: try row.moment("changed_at"), changedBy: try row.text("changed_by")))
            }
            return pending + (try self.goneForGood(db))
        }
    }

    /// Documents that were deleted permanently and are still in the current revision.
    private func goneForGood(_ db: Database) throws -> [PendingChange] {
        let languages = try site(db).languages
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT m.document, m.kind, p.version, p.at, p.body FROM member m JOIN published_body p \
                ON p.document = m.document AND p.version = m.version WHERE m.last IS NULL \
                AND NOT EXISTS (SELECT 1 FROM document d WHERE d.id = m.document) ORDER BY m.kind, m.document
                """)
        var gone: [PendingChange] = []
        while let row = try rows.next() {
            let (id, kind) = (try row.id("document"), try row.value("kind", as: Document.Kind.self))
            gone.append(
                PendingChange(
                    id: id, kind: kind, name: DocumentFacts(try body(row, id, kind), languages).name, what: .removed,
                    before: try row.integer("version"), after: nil, changedAt: try row.moment("at"), changedBy: ""))
        }
        return gone
    }

    /// The drafts as they would be published, for checks and the preview.
    ///
    /// - Parameter selection: as in `publish`.
    package func drafts(_ selection: Set<DocumentID>? = nil) async throws(StoreError) -> [DocumentID: Document] {
        try await read { db in try self.documents(of: RevisionMembers(drafts: selection, db), db) }
    }

    private static let mostAttempts = 5

    private func publish(
        _ plan: RevisionPlan, always: Bool, _ build: @escaping Builder,
        members: @escaping @Sendable (Database) throws -> RevisionMembers
    ) async throws(StoreError) -> (revision: Revision, isNew: Bool) {
        for _ in 0..<Self.mostAttempts {
            let (current, next, wanted, documents) = try await read { db in
                let wanted = try members(db)
                let next = try Self.revisionNumbers(db).next(atLeast: plan.least)
                return (try Self.currentNumber(db), next, wanted, try self.documents(of: wanted, db))
            }
            // Outside of the transaction, so that others can save meanwhile. What they save is not part of this
            // revision.
            let built: BuiltRevision
            do {
                built = try await OwnThread.run { try build(next, documents) }
            } catch {
                throw StoreError(error, file: file)
            }
            let done = try await write { db -> (Revision, Bool)? in
                guard try Self.currentNumber(db) == current else { return nil }
                return try self.put(
                    built, as: next, wanted, documents, plan, after: current, always: always, db)
            }
            if let done { return done }
        }
        throw StoreError(.busy, "others publish at the same time", remedy: "try again")
    }
}

/// The metadata of a new revision.
struct RevisionPlan: Sendable {
    var kind: Revision.Kind
    var note: String
    var source: Int64?
    /// The lowest number that it may have.
    var least: Int64?
    var author: Author
    var now: Moment

    var change: Change.Kind {
        switch kind {
        case .publication: .published
        case .rollback: .rolledBack
        case .schedule: .scheduled
        }
    }
}
