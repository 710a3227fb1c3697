import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import Media
import Serving

/// A part of a picture as a picture of its own. The whole one stays in the library.
package struct CropPages: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/media/:id/crop") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await show(try await editing.document(.media), editing)
        }
        router.post("/media/:id/crop") { request, context in
            try await crop(try await .begin(request, context, services))
        }
    }

    private func picture(_ stored: StoredDocument, _ path: String) throws(Refusal) -> (MediaDocument, CropForm) {
        guard let media = stored.document.media, media.isPicture, let width = media.width, let height = media.height
        else { throw .notFound(path) }
        return (media, CropForm(width: width, height: height))
    }

    private func show(
        _ stored: StoredDocument, _ editing: Editing, form: FormView? = nil,
        status: HTTPResponse.Status = .unprocessableContent
    ) async throws -> Response {
        let (media, fields) = try picture(stored, editing.context.path)
        var start = fields.start
        start["name"] = editing.texts.text("edit.crop.part_of", media.name)
        let view = form ?? FormView("crop", start, editing)
        var values = editing.values(of: stored, view)
        values["file"] = .text("\(media.hash)")
        values["large"] = MediaChoices.shown(media, 1280)
        values["width"] = .text("\(media.width ?? 0)")
        values["height"] = .text("\(media.height ?? 0)")
        let uses = try await self.uses(of: stored.id, editing)
        values["use_count"] = uses.isEmpty ? PageValue.none : .text("\(uses.count)")
        values["is_replacing"] = .flag(view.values.isChecked("replace") == true)
        return try await editing.page("crop", values, status: form == nil ? .ok : status)
    }

    private func crop(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.media)
        let (media, fields) = try picture(stored, editing.context.path)
        var view = FormView("crop", editing.values, editing)
        // The numbers were chosen on another picture.
        if let file = editing.form["file"], file != "\(media.hash)" {
            view.notice = editing.texts.text("edit.crop.changed")
            return try await show(stored, editing, form: view, status: .conflict)
        }
        let (area, mistakes) = fields.read(editing.values)
        guard mistakes.isEmpty else {
            view.show(mistakes)
            return try await show(stored, editing, form: view)
        }
        var part: MediaDocument
        do throws(MediaError) {
            part = try await editing.services.media.crop(media.hash, to: area, name: media.name)
        } catch {
            view.mistakes["width"] = editing.texts.text(error)
            return try await show(stored, editing, form: view)
        }
        if let name = editing.values.trimmed("name"), !name.isEmpty { part.name = name }
        part.tags = media.tags
        part.focalPoint = Self.focalPoint(of: media, within: area)
        let check = DocumentCheck(site: editing.site).mistakes(in: Document.media(part).tidied)
        guard check.isEmpty else {
            view.show(check)
            return try await show(stored, editing, form: view)
        }
        let added = try await DraftSaving.add(part, editing.services, editing.author)
        guard editing.values.isChecked("replace") == true else {
            return try await editing.redirect(to: "/media/\(added.id)", done: "cropped", undo: added.id)
        }
        try await replace(stored.id, by: added.id, editing)
        return try await editing.redirect(to: "/media/\(added.id)", done: "cropped_replaced")
    }

    /// The same point, if it is within the part.
    private static func focalPoint(of media: MediaDocument, within area: PictureArea) -> PlanPoint? {
        guard let point = media.focalPoint, let width = media.width, let height = media.height else { return nil }
        let x = (point.x * Double(width) - Double(area.left)) / Double(area.width)
        let y = (point.y * Double(height) - Double(area.top)) / Double(area.height)
        return (0...1).contains(x) && (0...1).contains(y) ? PlanPoint(x: x, y: y) : nil
    }

    /// Images that show a picture. The places on a plan would not be right on a part of its picture.
    private func uses(of id: DocumentID, _ editing: Editing) async throws -> Set<DocumentID> {
        let uses = try await editing.store.uses(of: id)
        return Set(uses.filter { $0.kind == .image && !$0.isDeleted }.map(\.document))
    }

    /// All of them or none, and none that somebody else changes in this moment.
    private func replace(_ old: DocumentID, by new: DocumentID, _ editing: Editing) async throws {
        let used = try await editing.store.documents(try await uses(of: old, editing))
        var changed: [DocumentID: Document] = [:]
        for (id, stored) in used {
            if let image = stored.document.image { changed[id] = .image(image.replacing(old, by: new)) }
        }
        try await editing.store.save(
            all: changed, over: used.mapValues(\.document), by: editing.author, at: editing.now)
    }
}
