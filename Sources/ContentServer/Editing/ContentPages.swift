import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Serving

/// What is shown on one side of an image. The page is a form of its own; with scripts it opens as a dialog.
package struct ContentPages: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/images/:id/contents/:side") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await show(try await editing.document(.image), editing)
        }
        router.post("/images/:id/contents/:side") { request, context in
            try await save(try await .begin(request, context, services))
        }
        router.post("/images/:id/contents/:side/delete") { request, context in
            try await remove(try await .begin(request, context, services))
        }
        router.post("/images/:id/contents/:side/picture") { request, context in
            try await drop(try await .begin(request, context, services))
        }
    }

    private func side(_ editing: Editing) throws(Refusal) -> ContentItem.Side {
        guard let side = editing.context.parameters.get("side").flatMap({ ContentItem.Side(rawValue: $0) }) else {
            throw .notFound(editing.context.path)
        }
        return side
    }

    /// - Parameter isNew: the form made a new content: what others have put on this side is not its own to remove.
    private func show(
        _ stored: StoredDocument, _ editing: Editing, form: FormView? = nil, isNew: Bool = false,
        status: HTTPResponse.Status? = nil
    ) async throws -> Response {
        let side = try side(editing)
        guard let image = stored.document.image else { throw Refusal.notFound(editing.context.path) }
        let kind = editing.query["kind"].flatMap { ContentItem.Kind(rawValue: $0) } ?? .image
        let item = image[side] ?? ContentItem(id: .random(), side: side, kind: kind)
        let fields = ContentForm(language: editing.language)
        var view = form ?? FormView("content", fields.values(of: item), editing)
        if editing.language != editing.site.defaultLanguage {
            view.refer(
                to: ContentForm(language: editing.site.defaultLanguage).values(of: item),
                own: fields.values(of: item))
        }
        let media = try await MediaChoices(editing.store, chosen: chosen(view.values))
        let texts = editing.texts
        view.choose("video", .video, from: media)
        view.choose("captions", .captions, from: media)
        view.choose("sign_language", .video, from: media)
        view.choose("side", ContentItem.Side.allCases.map { ($0.rawValue, texts.text("edit.side.\($0.rawValue)")) })
        view.choose("kind", ContentItem.Kind.allCases.map { ($0.rawValue, texts.text("edit.kind.\($0.rawValue)")) })
        view.choose(
            "action.kind",
            [("", texts.text("edit.action.none"))]
                + ActionItem.Kind.allCases.map { ($0.rawValue, texts.text("edit.action.\($0.rawValue)")) })
        var values = editing.values(of: stored, view)
        values["rows"] = .list(PictureRows.values(view, media))
        values["row_model"] = PictureRows.row("N", view, media)
        var more = FormView("content", FormValues(), editing)
        more.choose("more", .picture, from: media)
        more.mistakes["more"] = view.mistakes["pictures"]
        values["more"] = more.field("more", named: "more")
        values["side"] = .text(side.rawValue)
        values["side_name"] = .text(texts.text("edit.side.\(side.rawValue)"))
        values["is_there"] = .flag(image[side] != nil && !isNew)
        return try await editing.page(
            "content", values, at: "/images/\(stored.id)/contents/\(side.rawValue)",
            status: status ?? (form == nil ? .ok : .unprocessableContent))
    }

    private func chosen(_ values: FormValues) -> [DocumentID] {
        let rows = values.rows("pictures", limit: ContentForm.mostPictures).map { "pictures.\($0).media" }
        return (rows + ["video", "captions", "sign_language"]).compactMap { values[$0].flatMap { DocumentID($0) } }
    }

    private func save(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.image)
        let side = try side(editing)
        // What the form showed; nil for a new content.
        let seen = (try await editing.base(of: stored) ?? stored.document).image?[side]
        let before = seen ?? ContentItem(id: .random(), side: side, kind: .image)
        let form = ContentForm(language: editing.language)
        var values = editing.values
        let refused = try await editing.takeUploads(into: &values)
        if let more = values.trimmed("more"), !more.isEmpty {
            let row = (values.rows("pictures", limit: ContentForm.mostPictures).last ?? -1) + 1
            values["pictures.\(row).media"] = more
        }
        values["more"] = nil
        func shown(_ stored: StoredDocument, _ view: FormView, status: HTTPResponse.Status? = nil) async throws
            -> Response
        {
            try await show(stored, editing, form: view, isNew: seen == nil, status: status)
        }
        // A button of a row changes what the form shows, and saves nothing.
        if let change = PictureRows.Change(editing.form["do"]) {
            values = change.applied(to: values)
            let view = FormView("content", values, editing)
            return try await shown(editing.seen(stored), view, status: .ok)
        }
        var view = FormView("content", values, editing)
        view.mistakes = refused
        guard refused.isEmpty else { return try await shown(editing.seen(stored), view) }
        var place = side
        let outcome = try await editing.save(values, as: stored, into: &view) {
            form.values(of: seen == nil ? before : $0.image?[side] ?? before)
        } read: { values, document in
            var image = document.image ?? ImageDocument()
            let (item, mistakes) = Self.read(values, form, before, on: side, isNew: seen == nil, of: image)
            place = item.side
            if seen != nil { image[side] = nil }
            image[place] = item
            document = .image(image)
            return mistakes
        }
        switch outcome {
        case .saved:
            return try await editing.redirect(
                to: "/images/\(stored.id)", done: "saved", undo: stored.id, place: "side-\(place.rawValue)")
        case .refused(let mistakes):
            view.show(mistakes, prefix: "contents.\(place.rawValue).")
            return try await shown(editing.seen(stored), view)
        case .conflict(let current):
            if view.others["pictures"] != nil { view.mistakes["pictures"] = editing.texts.text("edit.conflict") }
            return try await shown(current, view)
        }
    }

    /// The content as the form has it, and what is wrong with that.
    ///
    /// - Parameters:
    ///   - before: as the form has shown it.
    ///   - image: as it is now.
    private static func read(
        _ values: FormValues, _ form: ContentForm, _ before: ContentItem, on side: ContentItem.Side, isNew: Bool,
        of image: ImageDocument
    ) -> (ContentItem, [FieldMistake]) {
        // What somebody else has removed meanwhile is edited here: it comes back.
        var item = isNew ? before : image[side] ?? before
        // Or it was moved to another side, where it stays: then this is a copy.
        if image[side] == nil, image.contents.contains(where: { $0.id == item.id }) { item.id = .random() }
        var mistakes = form.read(values, into: &item)
        // Nor does a new content take the place of one that somebody else has made meanwhile.
        if image[item.side] != nil, isNew || item.side != side {
            mistakes.append(FieldMistake("contents.\(side.rawValue).side", Problem(.sideTaken)))
            item.side = side
        }
        return (item, mistakes)
    }

    private func remove(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.image)
        let side = try side(editing)
        guard var image = stored.document.image else { throw Refusal.notFound(editing.context.path) }
        // Only what the form has shown, and not what somebody else has saved since.
        guard try await editing.base(of: stored)?.image?[side] == image[side], !stored.isDeleted else {
            let item = image[side] ?? ContentItem(id: .random(), side: side, kind: .image)
            let view = FormView("content", ContentForm(language: editing.language).values(of: item), editing)
            return try await show(stored, editing, form: editing.changedBeforeRemoval(view))
        }
        image[side] = nil
        _ = try await editing.store.save(
            .image(image), as: stored.id, over: stored.version, by: editing.author, at: editing.now)
        return try await editing.redirect(
            to: "/images/\(stored.id)", done: "content_removed", undo: stored.id, place: "side-\(side.rawValue)")
    }

    /// A picture that was dropped on a side becomes an image there, or one more of its gallery; several become a
    /// gallery.
    private func drop(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.image)
        let side = try side(editing)
        guard var image = stored.document.image else { throw Refusal.notFound(editing.context.path) }
        var pictures = editing.form.all("media").compactMap { DocumentID($0) }
        var problems: [String] = []
        for outcome in try await editing.upload("files") {
            switch outcome {
            case .stored(let id, _, _): pictures.append(id)
            case .refused(let name, let error): problems.append("\(name): \(editing.texts.text(error))")
            }
        }
        var item = image[side] ?? ContentItem(id: .random(), side: side, kind: pictures.count > 1 ? .gallery : .image)
        switch item.kind {
        case .gallery: item.pictures += pictures.map { PictureUse($0) }
        case .image where image[side] == nil || pictures.count == 1: item.pictures = pictures.map { PictureUse($0) }
        case .image, .video, .map: problems.append(editing.texts.text(Problem(.sideTaken)))
        }
        var mistakes: [FieldMistake] = []
        if problems.isEmpty {
            image[side] = item
            switch try await editing.save(.image(image), as: stored.id, over: stored.version) {
            case .saved:
                return try await editing.redirect(
                    to: "/images/\(stored.id)", done: "content_added", undo: stored.id, place: "side-\(side.rawValue)")
            case .refused(let found): mistakes = found
            case .conflict(let current): return try await show(current, editing)
            }
        }
        var view = FormView("content", ContentForm(language: editing.language).values(of: item), editing)
        view.show(mistakes, prefix: "contents.\(side.rawValue).")
        if !problems.isEmpty { view.mistakes["pictures"] = problems.joined(separator: " · ") }
        return try await show(stored, editing, form: view)
    }
}
