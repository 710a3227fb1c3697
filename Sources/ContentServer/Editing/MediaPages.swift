import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Media
import NIOCore
import Serving
import Text

/// The media library.
package struct MediaPages: RouteGroup {
    package init() {}

    static let pageSize = 60

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/media") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await list(editing, "media_list")
        }
        router.get("/media/pick") { request, context in
            try await list(try await .begin(request, context, services), "media_pick")
        }
        router.post("/media") { request, context in
            let editing = try await Editing.begin(request, context, services)
            let wantsJSON = request.headers[.accept]?.contains("application/json") == true
            return try await add(editing, wantsJSON: wantsJSON)
        }
        router.get("/media/:id") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await show(try await editing.document(.media), editing)
        }
        router.post("/media/:id") { request, context in
            try await save(try await .begin(request, context, services))
        }
        router.post("/media/:id/replace") { request, context in
            try await replace(try await .begin(request, context, services))
        }
        router.get("/media/:id/picture") { request, context in
            let editing = try await Editing.begin(request, context, services)
            guard let media = try await editing.document(.media).document.media,
                let picture = MediaChoices.picture(media, 640)
            else { throw Refusal.notFound(context.path) }
            return services.redirect(to: picture)
        }
    }

    private func list(_ editing: Editing, _ template: String, problem: String? = nil) async throws -> Response {
        let text = editing.query["q"] ?? ""
        let offset = PageWindow.offset(editing.query["offset"])
        let kind = editing.query["kind"].flatMap { MediaChoices.Kind(rawValue: $0) }
        let found = try await editing.media(text: text, kind: kind, limit: Self.pageSize, offset: offset)
        var values: [String: PageValue] = [
            "text": .text(text), "total": .text("\(found.total)"),
            "pager": editing.pager(found.total, offset, Self.pageSize),
            "kind": PageValue(kind?.rawValue), "problem": PageValue(problem),
            "is_empty": .flag(found.total == 0 && text.isEmpty && kind == nil),
            "is_none": .flag(found.total == 0 && !(text.isEmpty && kind == nil)),
        ]
        values["files"] = .list(found.documents.map { Self.card($0, editing) })
        values["kinds"] = .list(
            MediaChoices.Kind.allCases.map {
                [
                    "value": .text($0.rawValue), "text": .text(editing.texts.text("edit.media.kind_\($0.rawValue)")),
                    "chosen": .flag($0 == kind),
                ]
            })
        return try await editing.page(template, values, status: problem == nil ? .ok : .unprocessableContent)
    }

    static func card(_ stored: StoredDocument, _ editing: Editing) -> PageValue {
        guard let media = stored.document.media else { return .none }
        return [
            "id": .text(stored.id.text), "name": .text(editing.name(of: stored.document)),
            "picture": PageValue(MediaChoices.picture(media)), "size": .text(FileSize.words(media.bytes)),
            "pixels": media.width.flatMap { width in media.height.map { .text("\(width) × \($0)") } } ?? .none,
            "icon": .text(media.isVideo ? "play" : media.isAudio ? "sound" : media.isCaptions ? "text" : "image"),
        ]
    }

    /// Several files at once. A script gets JSON for each; a form without scripts gets the list.
    private func add(_ editing: Editing, wantsJSON: Bool) async throws -> Response {
        let outcomes = try await editing.upload("files")
        if wantsJSON { return Self.json(outcomes, editing) }
        var problems: [String] = []
        var last: DocumentID?
        for outcome in outcomes {
            switch outcome {
            case .stored(let id, _, _): last = id
            case .refused(let name, let error): problems.append("\(name): \(editing.texts.text(error))")
            }
        }
        if outcomes.isEmpty { problems.append(editing.texts.text("edit.images.none_chosen")) }
        guard problems.isEmpty else {
            return try await list(editing, "media_list", problem: problems.joined(separator: " · "))
        }
        return try await editing.redirect(to: "/media", done: "uploaded", undo: outcomes.count == 1 ? last : nil)
    }

    private static func json(_ outcomes: [UploadOutcome], _ editing: Editing) -> Response {
        var isRefused = outcomes.isEmpty
        var json = JSONText()
        json.object { json in
            json.array("files") { json in
                for outcome in outcomes {
                    json.object { json in
                        switch outcome {
                        case .stored(let id, let media, _):
                            json.value("id", id.text)
                            json.value("name", media.name)
                            if let picture = MediaChoices.picture(media) { json.value("picture", picture) }
                        case .refused(let name, let error):
                            isRefused = true
                            json.value("name", name)
                            json.value("problem", editing.texts.text(error))
                        }
                    }
                }
            }
        }
        return Response(
            status: isRefused ? .unprocessableContent : .created,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: json.text)))
    }

    // MARK: - One file

    private func show(_ stored: StoredDocument, _ editing: Editing, form: FormView? = nil) async throws -> Response {
        guard let media = stored.document.media else { throw Refusal.notFound(editing.context.path) }
        let view = form ?? FormView("media", MediaForm(language: editing.language).values(of: media), editing)
        var values = editing.values(of: stored, view)
        values["card"] = Self.card(stored, editing)
        values["type"] = .text(media.mediaType)
        values["large"] = MediaChoices.shown(media, 1280)
        values["is_picture"] = .flag(media.isPicture)
        values["is_video"] = .flag(media.isVideo)
        values["is_audio"] = .flag(media.isAudio)
        values["file"] = .text("/media/\(stored.id)/file")
        values["accepted"] = .text(
            (MediaChoices.Kind.of(media) ?? .picture).accepted)
        values["used"] = try await editing.uses(of: stored.id)
        return try await editing.page("media", values, status: form == nil ? .ok : .unprocessableContent)
    }

    private func save(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.media)
        let form = MediaForm(language: editing.language)
        var view = FormView("media", editing.values, editing)
        switch try await editing.save(editing.values, as: stored, into: &view, by: form, \.media, Document.media) {
        case .saved: return try await editing.redirect(to: "/media/\(stored.id)", done: "saved", undo: stored.id)
        case .refused(let mistakes):
            view.show(mistakes)
            return try await show(editing.seen(stored), editing, form: view)
        case .conflict(let current): return try await show(current, editing, form: view)
        }
    }

    /// Another file under the same name: everything that uses it shows the new one.
    private func replace(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.media)
        guard var body = stored.document.media else { throw Refusal.notFound(editing.context.path) }
        var view = FormView("media", MediaForm(language: editing.language).values(of: body), editing)
        guard let file = editing.form.files.first(where: { $0.field == "files" }) else {
            view.mistakes["replace"] = editing.texts.text("edit.images.none_chosen")
            return try await show(stored, editing, form: view)
        }
        let new: MediaDocument
        do throws(MediaError) {
            new = try await editing.finished(file)
        } catch {
            view.mistakes["replace"] = "\(file.name): \(editing.texts.text(error))"
            return try await show(stored, editing, form: view)
        }
        guard MediaChoices.Kind.of(new) == MediaChoices.Kind.of(body) else {
            view.mistakes["replace"] = editing.texts.text("edit.media.other_kind")
            return try await show(stored, editing, form: view)
        }
        var replaced = new
        replaced.name = body.name
        replaced.tags = body.tags
        replaced.focalPoint = body.focalPoint
        body = replaced
        do throws(StoreError) {
            _ = try await editing.store.save(
                .media(body), as: stored.id, over: stored.version, by: editing.author, at: editing.now)
        } catch {
            guard error.code == .taken else { throw error }
            view.mistakes["replace"] = editing.texts.text("edit.media.there_already")
            return try await show(stored, editing, form: view)
        }
        return try await editing.redirect(to: "/media/\(stored.id)", done: "picture_replaced", undo: stored.id)
    }
}
