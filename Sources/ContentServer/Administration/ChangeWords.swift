import Curation
import CurationStore

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
            return words(from: old, to: new)
        } catch  where error.code == .notFound {
            return ["any": false]
        }
    }

    func words(from old: Document, to new: Document) -> PageValue {
        ["any": false]
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
