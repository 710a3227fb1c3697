import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Serving

/// The images of a beacon, or those without one, as cards: new ones from pictures, and their order.
package struct ImageCards: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/uncategorized") { request, context in
            try await uncategorized(try await .begin(request, context, services))
        }
        router.post("/beacons/:id/images") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await add(to: try await editing.document(.beacon).id, editing)
        }
        router.post("/uncategorized/images") { request, context in
            try await add(to: nil, try await .begin(request, context, services))
        }
        router.post("/beacons/:id/order") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await order(of: try await editing.document(.beacon).id, editing)
        }
        router.post("/uncategorized/order") { request, context in
            try await order(of: nil, try await .begin(request, context, services))
        }
    }

    private func uncategorized(_ editing: Editing) async throws -> Response {
        var values = try await Self.page(of: nil, editing)
        values["pictures_to"] = "/uncategorized/images"
        return try await editing.page("uncategorized", values)
    }

    /// What the template `image_cards` shows.
    static func page(of beacon: DocumentID?, _ editing: Editing) async throws -> [String: PageValue] {
        let images = try await editing.store.images(of: beacon)
        let media = try await MediaChoices(
            editing.store, chosen: images.compactMap { $0.document.image?.picture?.media }, withRecent: false)
        let cards = images.enumerated().map { index, stored -> PageValue in
            let image = stored.document.image ?? ImageDocument()
            return [
                "id": .text(stored.id.text), "name": .text(editing.name(of: stored.document)),
                "picture": PageValue(media.picture(image.picture?.media)), "state": editing.badge(stored.state),
                "number": .text("\(index + 1)"), "is_first": .flag(index == 0),
                "is_last": .flag(index == images.count - 1), "contents": .text("\(image.contents.count)"),
                "has_page": .flag(image.page != nil),
                "is_over": .flag(image.validUntil.map { $0 <= editing.now } ?? false),
                "is_waiting": .flag(image.validFrom.map { $0 > editing.now } ?? false),
            ]
        }
        let path = beacon.map { "/beacons/\($0)" } ?? "/uncategorized"
        return [
            "images": .list(cards), "image_count": .text("\(images.count)"),
            "order_to": .text("\(path)/order"),
            // Only a beacon's images are limited.
            "maximum": beacon == nil ? .none : .text("\(editing.site.maximumImages)"),
        ]
    }

    /// Pictures that were dropped, pasted or chosen become images to recognise. The file's words are the title that is
    /// suggested; they never are the alternative text.
    private func add(to beacon: DocumentID?, _ editing: Editing) async throws -> Response {
        var pictures: [(id: DocumentID, name: String)] = []
        var refused = RefusedPictures()
        for outcome in try await editing.upload("files") {
            switch outcome {
            case .stored(let id, _, let name): pictures.append((id, name))
            case .refused(let name, let error): refused.add(name, editing.texts.text(error))
            }
        }
        let chosen = editing.form.all("media").compactMap { DocumentID($0) }.prefix(100)
        let known = try await editing.store.documents(Set(chosen))
        for id in chosen {
            if let media = known[id]?.document.media { pictures.append((id, media.name)) }
        }
        var last: DocumentID?
        for (id, name) in pictures {
            var image = ImageDocument()
            image.beacon = beacon
            image.picture = PictureUse(id)
            let title = FileTitle.suggested(by: name)
            if !title.isEmpty { image.title = LocalizedText(title, in: editing.site.defaultLanguage) }
            switch try await editing.save(.image(image), as: nil, over: nil) {
            case .saved(let stored): last = stored.id
            case .refused(let mistakes):
                for mistake in mistakes { refused.add(name, editing.texts.text(mistake.problem)) }
            case .conflict: break
            }
        }
        guard refused.text.isEmpty else { return try await refuse(refused.text, beacon, editing) }
        guard !pictures.isEmpty else {
            return try await refuse(editing.texts.text("edit.images.none_chosen"), beacon, editing)
        }
        if pictures.count == 1, let last {
            return try await editing.redirect(to: "/images/\(last)", done: "image_added", undo: last)
        }
        let path = beacon.map { "/beacons/\($0)" } ?? "/uncategorized"
        return try await editing.redirect(to: path, done: "images_added", undo: last)
    }

    private func refuse(_ text: String, _ beacon: DocumentID?, _ editing: Editing) async throws -> Response {
        var values = try await Self.page(of: beacon, editing)
        values["problem"] = .text(text)
        values["pictures_to"] = .text(editing.context.path)
        values["back"] = .text(beacon.map { "/beacons/\($0)" } ?? "/uncategorized")
        return try await editing.page("images_refused", values, status: .unprocessableContent)
    }

    /// The whole order from a script, or one image by one place from a button.
    private func order(of beacon: DocumentID?, _ editing: Editing) async throws -> Response {
        var ids: [DocumentID]
        var place: String?
        let path = beacon.map { "/beacons/\($0)" } ?? "/uncategorized"
        if let order = editing.form["order"] {
            ids = order.split(separator: ",").compactMap { DocumentID(String($0)) }
        } else {
            ids = try await editing.store.images(of: beacon).map(\.id)
            guard let moved = editing.form["image"].flatMap({ DocumentID($0) }),
                let by = editing.form["by"].flatMap({ Int($0) }), by == 1 || by == -1
            else { throw Refusal(422, "this image cannot be moved there", whatToDo: "open the page again") }
            // It is the first or last one already, or somebody has removed it meanwhile: the page shows what is so now.
            guard let from = ids.firstIndex(of: moved), ids.indices.contains(from + by) else {
                return try await editing.redirect(to: path, place: "image-\(moved)")
            }
            ids.swapAt(from, from + by)
            place = "image-\(moved)"
        }
        try await editing.store.reorder(ids, of: beacon, by: editing.author, at: editing.now)
        return try await editing.redirect(to: path, done: "ordered", undo: beacon, place: place)
    }
}

/// Pictures that did not become images. What is wrong with several of them is said once.
private struct RefusedPictures {
    private var reasons: [(words: String, names: [String])] = []
    /// More names are not listed.
    private static let mostNames = 10

    mutating func add(_ name: String, _ words: String) {
        if let index = reasons.firstIndex(where: { $0.words == words }) {
            reasons[index].names.append(name)
        } else {
            reasons.append((words, [name]))
        }
    }

    /// Empty if there are none.
    var text: String {
        reasons.map { words, names in
            let more = names.count > Self.mostNames ? ", …" : ""
            return "\(names.prefix(Self.mostNames).joined(separator: ", "))\(more): \(words)"
        }.joined(separator: " · ")
    }
}
