import Curation
import CurationStore
import Text

/// A change in words: who did what to what, and what was there before and after.
struct ChangeWords {
    private let services: CuratorServices
    private let texts: Catalogue
    private let languages: [Language]

    init(_ services: CuratorServices, _ texts: Catalogue) async throws {
        self.services = services
        self.texts = texts
        languages = try await services.siteLanguages()
    }

    /// For the list of changes.
    func value(_ change: Change, mayUndo: Bool) async throws -> PageValue {
        let words = try await words(of: change.document, change.documentKind, from: change.before, to: change.after)
        return [
            "kind": .text(change.documentKind.map { $0 == .site ? "" : texts.text("kind.\($0.rawValue)") } ?? ""),
            "name": .text(name(of: change)), "href": href(of: change),
            "what": .text(texts.text("history.\(change.kind.rawValue)")), "tone": .text(Self.tone(change.kind)),
            "by": .text(change.by), "at": .moment(change.at), "words": words,
            "undo": mayUndo && change.canBeUndone ? .text("\(change.number)") : .none,
        ]
    }

    /// What differs between two versions of a document; nothing if there is only one, or one is too old to be kept.
    func words(
        of id: DocumentID?, _ kind: Document.Kind?, from before: Int64?, to after: Int64?
    ) async throws -> PageValue {
        guard let id, let before, let after, before != after else { return ["any": false] }
        do {
            let old = try await services.store.version(of: id, before)
            let new = try await services.store.version(of: id, after)
            return try await words(between: old, and: new)
        } catch let error as StoreError where error.code == .notFound {
            return ["any": false]
        }
    }

    /// The most fields of one change that are listed.
    static let mostFields = 30

    /// What differs between two bodies; nothing is told of a new document.
    func words(between old: Document?, and new: Document) async throws -> PageValue {
        guard let old else { return ["any": false] }
        let all = DocumentDifference.between(old, new)
        let changes = all.prefix(Self.mostFields)
        let names = try await names(in: changes)
        return [
            "any": .flag(!changes.isEmpty), "more": texts.notShown(all.count - changes.count),
            "list": .list(
                changes.map { change in
                    let (before, after) = FieldValue.excerpts(change.before, change.after)
                    let isSame = before == after
                    return [
                        "field": .text(title(of: change) + (isSame ? ": " + texts.text("difference.formatted") : "")),
                        "before": isSame ? .none : PageValue(before.map { text($0, names) }),
                        "after": isSame ? .none : PageValue(after.map { text($0, names) }),
                    ]
                }),
        ]
    }

    /// `left: title (de)`
    private func title(of change: FieldChange) -> String {
        let label = texts.text("field.\(change.label.rawValue)")
        let side = change.side.map { texts.text("choice.\($0.rawValue)") + ": " } ?? ""
        return side + label + (change.language.map { " (\($0))" } ?? "")
    }

    private func text(_ value: FieldValue, _ names: [DocumentID: String]) -> String {
        switch value {
        case .text(let text): text
        case .document(let id): names[id] ?? texts.text("common.nameless")
        case .moment(let moment): moment.description
        case .bytes(let bytes): ByteCount.text(bytes)
        case .choice(let code):
            // The level of a rule: `missing_alt.warn`.
            if let dot = code.firstIndex(of: ".") {
                texts.text("gate.\(code[..<dot])") + ": " + texts.text("gate.\(code[code.index(after: dot)...])")
            } else {
                texts.text("choice.\(code)")
            }
        }
    }

    private func names(in changes: some Sequence<FieldChange>) async throws -> [DocumentID: String] {
        var ids: Set<DocumentID> = []
        for case .document(let id)? in changes.flatMap({ [$0.before, $0.after] }) { ids.insert(id) }
        guard !ids.isEmpty else { return [:] }
        return try await services.store.documents(ids).mapValues { texts.name(of: $0.document, languages) }
    }

    private func name(of change: Change) -> String {
        if let revision = change.revision { return texts.text("revisions.number", "\(revision)") }
        if change.documentKind == .site { return texts.text("kind.site") }
        if change.kind == .emptied { return texts.text("bin.title") }
        return change.name.isEmpty ? texts.text("common.nameless") : change.name
    }

    private func href(of change: Change) -> PageValue {
        if let revision = change.revision { return .text("/revisions#revision-\(revision)") }
        guard let id = change.document, let kind = change.documentKind else { return .none }
        guard change.kind != .deleted else { return .text("/bin") }
        return .text(DocumentLink.path(kind, id))
    }

    private static func tone(_ kind: Change.Kind) -> String {
        switch kind {
        case .created, .restored: "good"
        case .deleted, .emptied: "bad"
        case .published, .scheduled, .rolledBack: "info"
        case .edited, .reordered, .undone: ""
        }
    }
}
