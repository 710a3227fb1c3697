import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Serving

/// The full page of an image.
package struct PageTextPages: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/images/:id/page") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await show(try await editing.document(.image), editing)
        }
        router.post("/images/:id/page") { request, context in
            try await save(try await .begin(request, context, services))
        }
        router.post("/images/:id/page/delete") { request, context in
            try await remove(try await .begin(request, context, services))
        }
    }

    private func show(_ stored: StoredDocument, _ editing: Editing, form: FormView? = nil) async throws -> Response {
        guard let image = stored.document.image else { throw Refusal.notFound(editing.context.path) }
        let fields = PageTextForm(language: editing.language)
        let body = image.page ?? FullPage()
        var view = form ?? FormView("page", fields.values(of: body), editing)
        // What was sent is in one of two fields. The editor sends JSON only; its place in the page is the plain field.
        // Plain text of a refused form is in the editor, too, which comes after the page.
        let json = view.values["body_json"] ?? view.values["body"].map { plain in
            fields.json(of: PlainPageText.read(plain, over: body.body[editing.language]))
        }
        if view.values["body"] == nil { view.values["body"] = "" }
        if editing.language != editing.site.defaultLanguage {
            view.refer(
                to: PageTextForm(language: editing.site.defaultLanguage).values(of: body),
                own: fields.values(of: body))
        }
        var values = editing.values(of: stored, view)
        values["is_there"] = .flag(image.page != nil)
        values["json"] = .text(json ?? "")
        return try await editing.page(
            "page_text", values, at: "/images/\(stored.id)/page", status: form == nil ? .ok : .unprocessableContent)
    }

    private func save(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.image)
        let form = PageTextForm(language: editing.language)
        let before = try await editing.base(of: stored)?.image?.page ?? FullPage()
        var view = FormView("page", editing.values, editing)
        let outcome = try await editing.save(editing.values, as: stored, into: &view) {
            form.values(of: $0.image?.page ?? before)
        } read: { values, document in
            var image = document.image ?? ImageDocument()
            var page = image.page ?? before
            let mistakes = form.read(values, into: &page)
            image.page = page.title.tidied.isEmpty && page.body.isEmpty ? nil : page
            document = .image(image)
            return mistakes
        }
        switch outcome {
        case .saved:
            return try await editing.redirect(
                to: "/images/\(stored.id)", done: "saved", undo: stored.id, place: "page-text")
        case .refused(let mistakes):
            // The editor sends its text in another field: what is wrong with it belongs beside the one that is seen.
            if view.values["body"] == nil { view.values["body"] = "" }
            view.show(mistakes, prefix: "page.")
            return try await show(editing.seen(stored), editing, form: view)
        case .conflict(let current):
            // The editor's field holds no text that people could compare.
            if view.others["body_json"] != nil {
                view.others["body"] = form.values(of: current.document.image?.page ?? FullPage())["body"]
            }
            return try await show(current, editing, form: view)
        }
    }

    private func remove(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.image)
        guard var image = stored.document.image else { throw Refusal.notFound(editing.context.path) }
        // Only what the form has shown, and not what somebody else has saved since.
        guard try await editing.base(of: stored)?.image?.page == image.page, !stored.isDeleted else {
            let values = PageTextForm(language: editing.language).values(of: image.page ?? FullPage())
            return try await show(
                stored, editing, form: editing.changedBeforeRemoval(FormView("page", values, editing)))
        }
        image.page = nil
        _ = try await editing.store.save(
            .image(image), as: stored.id, over: stored.version, by: editing.author, at: editing.now)
        return try await editing.redirect(
            to: "/images/\(stored.id)", done: "page_removed", undo: stored.id, place: "page-text")
    }
}
