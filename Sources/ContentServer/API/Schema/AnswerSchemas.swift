import Curation
import CurationStore
import Serving

/// The schemas of what the API answers besides documents.
enum AnswerSchemas {
    static let all: [String: Schema] = Dictionary(
        uniqueKeysWithValues: Document.Kind.allCases.flatMap { kind in
            let name = DocumentSchemas.name(kind)
            return [
                ("Stored\(name)", stored(.ref(name))),
                ("\(name)Page", page(.ref("Stored\(name)"), "documents")),
            ]
        }
    ).merging(others) { $1 }

    private static let number = Schema.integer()

    private static func stored(_ document: Schema) -> Schema {
        .object(
            [
                "id": DocumentSchemas.id, "version": number,
                "state": .choice(StoredDocument.State.allCases.map(\.rawValue)), "changed_at": .moment,
                "changed_by": .text(), "deleted_at": Schema.moment.orNull, "published_version": number.orNull,
                "document": document,
            ],
            required: [
                "id", "version", "state", "changed_at", "changed_by", "deleted_at", "published_version", "document",
            ])
    }

    private static func page(_ item: Schema, _ name: String) -> Schema {
        .object([name: .list(item), "total": number], required: [name, "total"])
    }

    private static func list(_ item: String, _ name: String) -> Schema {
        .object([name: .list(.ref(item))], required: [name])
    }

    private static func account(_ more: [String: Schema] = [:]) -> Schema {
        let fields: [String: Schema] = [
            "name": .text(), "role": .choice(Account.Role.allCases.map(\.rawValue)), "enabled": .bool,
            "has_password": .bool, "created_at": .moment, "signed_in_at": Schema.moment.orNull,
        ]
        return .object(
            fields.merging(more) { $1 },
            required: ["name", "role", "enabled", "has_password", "created_at"] + more.keys.sorted())
    }

    private static let others: [String: Schema] = [
        "Refusal": .object(
            [
                "error": .text("What is wrong."), "what_to_do": .text("How to mend it."),
                "problems": .list(.text()), "mistakes": .list(.ref("Mistake")),
            ], required: ["error", "what_to_do"]),
        "Mistake": .object(
            ["field": .text("The path in the document."), "code": .text(), "message": .text()],
            required: ["field", "code", "message"]),
        "Use": .object(
            [
                "document": DocumentSchemas.id, "kind": .choice(Document.Kind.allCases.map(\.rawValue)),
                "name": .text(), "field": .text(), "deleted": .bool,
            ], required: ["document", "kind", "name", "field", "deleted"]),
        "Uses": list("Use", "uses"),
        "Change": .object(
            [
                "number": number, "at": .moment, "by": .text(), "kind": .choice(Change.Kind.allCases.map(\.rawValue)),
                "document": DocumentSchemas.id.orNull,
                "document_kind": Schema.choice(Document.Kind.allCases.map(\.rawValue)).orNull, "name": .text(),
                "before": number.orNull, "after": number.orNull, "revision": number.orNull, "undoes": number.orNull,
                "can_be_undone": .bool,
            ], required: ["number", "at", "by", "kind", "name", "can_be_undone"]),
        "Changes": list("Change", "changes"),
        "Revision": .object(
            [
                "number": number, "at": .moment, "by": .text(), "note": .text(),
                "kind": .choice(Revision.Kind.allCases.map(\.rawValue)), "source": number.orNull, "documents": number,
                "changed": number, "kept": .bool,
            ], required: ["number", "at", "by", "kind", "note", "documents", "changed", "kept"]),
        "Revisions": list("Revision", "revisions"),
        "PendingChange": .object(
            [
                "id": DocumentSchemas.id, "kind": .choice(Document.Kind.allCases.map(\.rawValue)), "name": .text(),
                "what": .choice(PendingChange.What.allCases.map(\.rawValue)), "before": number.orNull,
                "after": number.orNull, "changed_at": .moment, "changed_by": .text(),
            ], required: ["id", "kind", "name", "what", "changed_at", "changed_by"]),
        "Pending": list("PendingChange", "pending"),
        "ImportedChange": .object(
            [
                "id": DocumentSchemas.id, "kind": .choice(Document.Kind.allCases.map(\.rawValue)), "name": .text(),
                "what": .choice(ArchivePlan.What.allCases.map(\.rawValue)), "line": number.orNull,
            ], required: ["id", "kind", "name", "what"]),
        "Import": .object(
            [
                "saved": .bool, "unchanged": number, "files": number,
                "changes": .list(.ref("ImportedChange")),
            ], required: ["saved", "unchanged", "files", "changes"]),
        "Finding": .object(
            [
                "document": DocumentSchemas.id, "field": .text(), "code": .text(), "message": .text(),
                "level": .choice([GateLevel.warn, .refuse].map(\.rawValue)),
            ], required: ["document", "field", "level", "code", "message"]),
        "Findings": list("Finding", "findings"),
        "Device": .object(
            [
                "host": .text(), "state": .choice(DeviceState.allCases.map(\.rawValue)), "version": .text(),
                "first_at": .moment, "reported_at": .moment, "revision": number.orNull, "complete": .bool,
                "missing": number, "problems": .list(.text()), "scanner": .text(),
            ], required: ["host", "state", "version", "reported_at", "complete", "missing", "problems", "scanner"]),
        "Devices": list("Device", "devices"),
        "Dwell": .object(
            [
                "uuid": .text(), "major": number, "minor": number, "revision": number, "day": .text(format: "date"),
                "seconds": .number(), "visits": number,
            ], required: ["uuid", "major", "minor", "revision", "day", "seconds", "visits"]),
        "Statistics": list("Dwell", "dwell"),
        "Account": account(),
        "ChangedAccount": account(["revoked_tokens": number]),
        "Revoked": .object(["revoked_tokens": number], required: ["revoked_tokens"]),
        "Accounts": list("Account", "accounts"),
        "Token": .object(
            [
                "number": number, "name": .text(),
                "scopes": .list(.choice(APIToken.Scope.allCases.map(\.rawValue))), "created_by": .text(),
                "created_at": .moment, "expires_at": Schema.moment.orNull, "used_at": Schema.moment.orNull,
                "token": .text("The secret, shown only when it is made."),
            ], required: ["number", "name", "scopes", "created_by", "created_at"]),
        "Tokens": list("Token", "tokens"),
        "Link": .object(["link": .text("Can be opened once.")], required: ["link"]),
        "Emptied": .object(["emptied": number], required: ["emptied"]),
    ]
}
