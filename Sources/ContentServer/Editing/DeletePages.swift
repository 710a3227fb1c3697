import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore

/// Asks before something goes into the bin, and says where it is used.
package struct DeletePages: RouteGroup {
    package init() {}

    private static let kinds: [(path: String, kind: Document.Kind)] = [
        ("beacons", .beacon), ("images", .image), ("media", .media), ("plans", .plan),
    ]

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        for (path, kind) in Self.kinds {
            router.get("/\(path)/:id/delete") { request, context in
                let editing = try await Editing.begin(request, context, services)
                let stored = try await editing.document(kind)
                return try await ask(stored, images: try await imageCount(stored, editing), path, editing)
            }
            router.post("/\(path)/:id/delete") { request, context in
                let editing = try await Editing.begin(request, context, services)
                let stored = try await editing.document(kind)
                let images = try await imageCount(stored, editing)
                // Only what the page has shown, and not what somebody else has saved or added since.
                guard Self.isSeen(stored, images: images, editing) else {
                    return try await ask(
                        stored, images: images, path, editing,
                        notice: editing.texts.text("edit.changed_before_removal"))
                }
                try await editing.store.delete(
                    stored.id, over: editing.version, by: editing.author, at: editing.now)
                let target =
                    stored.document.image?.beacon.map { "/beacons/\($0)" }
                    ?? (kind == .image ? "/uncategorized" : "/\(path)")
                return try await editing.redirect(to: target, done: "deleted", undo: stored.id)
            }
        }
    }

    private static func isSeen(_ stored: StoredDocument, images: Int, _ editing: Editing) -> Bool {
        guard let version = editing.version else { return true }
        return version == stored.version && editing.form["seen"].flatMap { Int($0) } ?? 0 == images
    }

    /// Images that go with a beacon.
    private func imageCount(_ stored: StoredDocument, _ editing: Editing) async throws -> Int {
        stored.document.kind == .beacon ? try await editing.store.images(of: stored.id).count : 0
    }

    private func ask(
        _ stored: StoredDocument, images: Int, _ path: String, _ editing: Editing, notice: String? = nil
    ) async throws -> Response {
        let values: [String: PageValue] = [
            "name": .text(editing.name(of: stored.document)), "delete_path": .text("/\(path)/\(stored.id)"),
            "used": try await editing.uses(of: stored.id),
            "images": images > 0 ? .text(editing.texts.text("edit.delete.images", "\(images)")) : .none,
            "is_published": .flag(stored.publishedVersion != nil),
            "version": .text("\(stored.version)"), "seen": .text("\(images)"), "notice": PageValue(notice),
        ]
        return try await editing.page("delete", values, status: notice == nil ? .ok : .conflict)
    }
}

extension Editing {
    /// The most documents that a list of uses shows.
    private static let mostUses = 200

    /// The documents that use a document: `count`, `list` with links, and `more`, which says how many the list leaves
    /// out. None if there are none.
    func uses(of id: DocumentID) async throws -> PageValue {
        // A document that uses it in several fields is one line.
        var seen = Set<DocumentID>()
        let uses = try await store.uses(of: id).filter { seen.insert($0.document).inserted }
        guard !uses.isEmpty else { return .none }
        let list = uses.prefix(Self.mostUses).map { use -> PageValue in
            [
                "name": .text(use.name.isEmpty ? texts.text("common.nameless") : use.name),
                "path": .text(DocumentLink.path(use.kind, use.document)),
                "kind": .text(texts.text("kind.\(use.kind.rawValue)")),
            ]
        }
        return [
            "count": .text("\(uses.count)"), "list": .list(list), "more": texts.notShown(uses.count - list.count),
        ]
    }

    /// Files of the library of one kind.
    func media(
        text: String, kind: MediaChoices.Kind?, limit: Int, offset: Int
    ) async throws -> DocumentPage {
        // The search looks at the type of a file too.
        let type =
            switch kind {
            case .picture: " image/"
            case .video: " video/"
            case .audio: " audio/"
            case .captions: " text/vtt"
            case nil: ""
            }
        return try await store.documents(
            .media, DocumentQuery(text: text + type, limit: limit, offset: offset, order: .changed))
    }
}
