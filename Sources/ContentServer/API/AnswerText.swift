import Beacon
import Curation
import CurationStore
import HTTPTypes
import Platform
import SiteFormat
import Text

/// What the store has, as the API's JSON.
enum AnswerText {
    static func object(_ body: (inout JSONText) -> Void) -> String {
        var json = JSONText()
        json.object { body(&$0) }
        return json.text
    }

    /// `{"NAME": […]}`.
    static func list<Item>(_ name: String, _ items: [Item], _ one: (Item, inout JSONText) -> Void) -> String {
        object { json in
            json.array(name) { json in
                for item in items { json.object { one(item, &$0) } }
            }
        }
    }

    static func stored(_ stored: StoredDocument, _ json: inout JSONText) {
        json.value("id", stored.id.text)
        json.value("version", Int(stored.version))
        json.value("state", stored.state.rawValue)
        json.value("changed_at", stored.changedAt.description)
        json.value("changed_by", stored.changedBy)
        json.value("deleted_at", stored.deletedAt?.description)
        json.value("published_version", stored.publishedVersion.map { Int($0) })
        json.raw("document", body(stored.document))
    }

    static func body(_ document: Document) -> String {
        // What was stored was encoded before.
        String(decoding: (try? document.json()) ?? Array("{}".utf8), as: UTF8.self)
    }

    /// The entity tag is the version: `If-Match` with it protects what others have saved.
    static func tag(_ stored: StoredDocument) -> HTTPFields { [.eTag: "\"\(stored.version)\""] }

    /// Where lists of documents are written, which can be megabytes: others would wait for a thread of the pool.
    private static let writing = BlockingQueue("beacond.content-server.answers")
    /// The most bytes of the documents in one answer, as far as it has more than one.
    static let largestPage = 4 << 20

    static func page(_ documents: [StoredDocument], of total: Int) async -> String {
        await writing.run { _ in
            object { json in
                json.array("documents") { json in
                    for document in documents { json.object { stored(document, &$0) } }
                }
                json.value("total", total)
            }
        }
    }

    static func use(_ use: DocumentUse, _ json: inout JSONText) {
        json.value("document", use.document.text)
        json.value("kind", use.kind.rawValue)
        json.value("name", use.name)
        json.value("field", use.field)
        json.value("deleted", use.isDeleted)
    }

    static func change(_ change: Change, _ json: inout JSONText) {
        json.value("number", Int(change.number))
        json.value("at", change.at.description)
        json.value("by", change.by)
        json.value("kind", change.kind.rawValue)
        json.value("document", change.document?.text)
        json.value("document_kind", change.documentKind?.rawValue)
        json.value("name", change.name)
        json.value("before", change.before.map { Int($0) })
        json.value("after", change.after.map { Int($0) })
        json.value("revision", change.revision.map { Int($0) })
        json.value("undoes", change.undoes.map { Int($0) })
        json.value("can_be_undone", change.canBeUndone)
    }

    static func revision(_ revision: Revision, _ json: inout JSONText) {
        json.value("number", Int(revision.number))
        json.value("at", revision.at.description)
        json.value("by", revision.by)
        json.value("kind", revision.kind.rawValue)
        json.value("note", revision.note)
        json.value("source", revision.source.map { Int($0) })
        json.value("documents", revision.documents)
        json.value("changed", revision.changed)
        json.value("kept", revision.isKept)
    }

    static func pending(_ change: PendingChange, _ json: inout JSONText) {
        json.value("id", change.id.text)
        json.value("kind", change.kind.rawValue)
        json.value("name", change.name)
        json.value("what", change.what.rawValue)
        json.value("before", change.before.map { Int($0) })
        json.value("after", change.after.map { Int($0) })
        json.value("changed_at", change.changedAt.description)
        json.value("changed_by", change.changedBy)
    }

    static func dwell(_ dwell: Dwell, _ json: inout JSONText) {
        json.identity(dwell.beacon, name: nil)
        json.value("revision", Int(dwell.revision))
        json.value("day", Day(number: dwell.day).description)
        json.value("seconds", dwell.seconds, digits: 1)
        json.value("visits", dwell.visits)
    }

    static func account(_ account: Account, _ json: inout JSONText) {
        json.value("name", account.name)
        json.value("role", account.role.rawValue)
        json.value("enabled", account.isEnabled)
        json.value("has_password", account.hasPassword)
        json.value("created_at", account.createdAt.description)
        json.value("signed_in_at", account.signedInAt?.description)
    }

    /// - Parameter secret: only when the token is made.
    static func token(_ token: APIToken, _ secret: String? = nil, _ json: inout JSONText) {
        json.value("number", Int(token.number))
        json.value("name", token.name)
        json.array("scopes") { json in
            for scope in token.scopes.map(\.rawValue).sorted() { json.value(nil, scope) }
        }
        json.value("created_by", token.createdBy)
        json.value("created_at", token.createdAt.description)
        json.value("expires_at", token.expiresAt?.description)
        json.value("used_at", token.usedAt?.description)
        if let secret { json.value("token", secret) }
    }
}
