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
        let uses = try await editing.uses(of: stored.id)
        return try await editing.page(
            "delete",
            [
                "name": .text(editing.name(of: stored.document)), "delete_path": .text("/\(path)/\(stored.id)"),
                "uses": uses, "uses_any": .flag(uses != []),
                "images": images > 0 ? .text(editing.texts.text("edit.delete.images", "\(images)")) : .none,
                "is_published": .flag(stored.publishedVersion != nil),
                "version": .text("\(stored.version)"), "seen": .text("\(images)"), "notice": PageValue(notice),
            ], status: notice == nil ? .ok : .conflict)
    }
}

extension Editing {
    /// Where a document is used, with links.
    func uses(of id: DocumentID) async throws -> PageValue {
        .list(
            try await store.uses(of: id).prefix(200).map { use in
                let path =
                    switch use.kind {
                    case .beacon: "/beacons/\(use.document)"
                    case .image: "/images/\(use.document)"
                    case .media: "/media/\(use.document)"
                    case .plan: "/plans/\(use.document)"
                    case .site: "/site"
                    }
                return [
                    "name": .text(use.name.isEmpty ? texts.text("common.nameless") : use.name), "path": .text(path),
                    "kind": .text(texts.text("kind.\(use.kind.rawValue)")),
                ]
            })
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
