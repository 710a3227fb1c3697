import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Serving

/// One image to recognise: its picture in the middle of a grid, and what is shown on its four sides.
package struct ImagePages: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/images/:id") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await show(try await editing.document(.image), editing)
        }
        router.post("/images/:id") { request, context in
            try await save(try await .begin(request, context, services))
        }
        router.post("/images/:id/picture") { request, context in
            try await replacePicture(try await .begin(request, context, services))
        }
        router.post("/images/:id/copy") { request, context in
            try await copy(try await .begin(request, context, services))
        }
    }

    private func show(_ stored: StoredDocument, _ editing: Editing, form: FormView? = nil) async throws -> Response {
        guard let body = stored.document.image else { throw Refusal.notFound(editing.context.path) }
        let fields = ImageForm(language: editing.language)
        var view = form ?? FormView("image", fields.values(of: body), editing)
        if editing.language != editing.site.defaultLanguage {
            view.refer(
                to: ImageForm(language: editing.site.defaultLanguage).values(of: body),
                own: fields.values(of: body))
        }
        for field in ["valid_from", "valid_until"] { view.values[field] = TimeField.shown(view.values[field] ?? "") }
        var used = Document.image(body).references.map(\.id)
        used += ["picture.media", "audio", "sign_language"].compactMap { view.values[$0].flatMap { DocumentID($0) } }
        let media = try await MediaChoices(editing.store, chosen: used)
        view.choose("picture.media", .picture, from: media)
        view.choose("audio", .audio, from: media)
        view.choose("sign_language", .video, from: media)
        let texts = editing.texts
        view.choose(
            "display", ImageDocument.Display.allCases.map { ($0.rawValue, texts.text("edit.display.\($0.rawValue)")) })
        let beacons = try await editing.beaconChoices()
        let choices = try await editing.choices(beacons.listed, with: view.values["beacon"], .beacon)
        view.choose(
            "beacon", [("", texts.text("edit.image.no_beacon"))] + choices, unlisted: beacons.unlisted)

        var values = editing.values(of: stored, view)
        let picture = body.picture.flatMap { media.known[$0.media] }
        values["picture"] = picture.map { MediaChoices.shown($0, 640) } ?? PageValue.none
        values["sides"] = .map(
            Dictionary(
                uniqueKeysWithValues: ContentItem.Side.allCases.map {
                    ($0.rawValue, SideView.value($0, of: body, stored.id, media, editing))
                }))
        values["page_text"] = [
            "is_there": .flag(body.page != nil),
            "title": PageValue(body.page?.title.any(editing.site.languages)),
        ]
        let targets = beacons.listed.map { value, text -> PageValue in ["value": .text(value), "text": .text(text)] }
        values["beacons"] = .list(targets + texts.notShownOption(beacons.unlisted))
        if let beacon = body.beacon, let parent = try? await editing.store.document(beacon) {
            values["parent"] = ["id": .text(beacon.text), "name": .text(editing.name(of: parent.document))]
        }
        return try await editing.page(
            "image", values, at: "/images/\(stored.id)", status: form == nil ? .ok : .unprocessableContent)
    }

    private func save(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.image)
        let form = ImageForm(language: editing.language)
        var values = editing.values
        let refused = try await editing.takeUploads(into: &values)
        // Browsers write a moment in their own ways; only what was changed may differ from what the form showed.
        let shown = (try await editing.base(of: stored) ?? stored.document).image
        for (name, moment) in [("valid_from", shown?.validFrom), ("valid_until", shown?.validUntil)] {
            if let text = values[name] { values[name] = TimeField.read(text, over: moment) }
        }
        var view = FormView("image", values, editing)
        view.mistakes = refused
        guard refused.isEmpty else { return try await show(editing.seen(stored), editing, form: view) }
        let outcome = try await editing.save(values, as: stored, into: &view) {
            $0.image.map(form.values) ?? FormValues()
        } read: { values, document in
            guard var body = document.image else { return [] }
            let before = body.beacon
            let mistakes = form.read(values, into: &body)
            // Where it went to, it is the last.
            if body.beacon != before { body.rank = Int64(try await editing.store.images(of: body.beacon).count + 1) }
            document = .image(body)
            return mistakes
        }
        switch outcome {
        case .saved:
            return try await editing.redirect(to: "/images/\(stored.id)", done: "saved", undo: stored.id)
        case .refused(let mistakes):
            view.show(mistakes)
            return try await show(editing.seen(stored), editing, form: view)
        case .conflict(let current): return try await show(current, editing, form: view)
        }
    }

    /// Another picture, dropped on the middle or chosen. The text says what was to be seen before, so it is dropped.
    private func replacePicture(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.image)
        guard var body = stored.document.image else { throw Refusal.notFound(editing.context.path) }
        var chosen = editing.form["media"].flatMap { DocumentID($0) }
        for outcome in try await editing.upload("files") {
            switch outcome {
            case .stored(let id, _, _): chosen = id
            case .refused(let name, let error):
                var view = FormView("image", ImageForm(language: editing.language).values(of: body), editing)
                view.mistakes["picture.media"] = "\(name): \(editing.texts.text(error))"
                return try await show(stored, editing, form: view)
            }
        }
        if let chosen, chosen != body.picture?.media { body.picture = PictureUse(chosen) }
        switch try await editing.save(.image(body), as: stored.id, over: stored.version) {
        case .saved:
            return try await editing.redirect(to: "/images/\(stored.id)", done: "picture_replaced", undo: stored.id)
        case .refused(let mistakes):
            var view = FormView("image", ImageForm(language: editing.language).values(of: body), editing)
            view.show(mistakes)
            return try await show(stored, editing, form: view)
        case .conflict(let current): return try await show(current, editing)
        }
    }

    /// A copy with everything on it, at another beacon or the same one.
    private func copy(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.image)
        guard var body = stored.document.image else { throw Refusal.notFound(editing.context.path) }
        body.beacon = editing.form["to"].flatMap { DocumentID($0) }
        // The last one there.
        body.rank = 0
        for index in body.contents.indices { body.contents[index].id = .random() }
        switch try await editing.save(.image(body), as: nil, over: nil) {
        case .saved(let copy):
            return try await editing.redirect(to: "/images/\(copy.id)", done: "copied", undo: copy.id)
        case .refused(let mistakes):
            var view = FormView(
                "image", ImageForm(language: editing.language).values(of: stored.document.image ?? body), editing)
            view.show(mistakes)
            return try await show(stored, editing, form: view)
        case .conflict(let current): return try await show(current, editing)
        }
    }
}
