import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Serving

/// Plans of floors, with the beacons on them.
package struct PlanPages: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/plans") { request, context in
            try await list(try await .begin(request, context, services))
        }
        router.post("/plans") { request, context in
            try await create(try await .begin(request, context, services))
        }
        router.get("/plans/:id") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await show(try await editing.document(.plan), editing)
        }
        router.post("/plans/:id") { request, context in
            try await save(try await .begin(request, context, services))
        }
        router.post("/plans/:id/places") { request, context in
            try await place(try await .begin(request, context, services))
        }
    }

    /// The most beacons that a plan shows: each has three fields of the form.
    static let mostBeacons = 1000
    /// More than these cannot be chosen from a list.
    static let mostPlans = 1000
    /// Plans on a page of the list.
    private static let pageSize = 60

    private func list(_ editing: Editing, form: FormView? = nil) async throws -> Response {
        let offset = PageWindow.offset(editing.query["offset"])
        let found = try await editing.store.documents(.plan, DocumentQuery(limit: Self.pageSize, offset: offset))
        let plans = found.documents
        var view = form ?? FormView("plan", PlanForm(language: editing.language).values(of: PlanDocument()), editing)
        let media = try await Self.media(plans.compactMap { $0.document.plan?.picture }, view, editing)
        view.choose("picture", .picture, from: media)
        var values = view.page
        values["plans"] = .list(
            plans.map {
                [
                    "id": .text($0.id.text), "name": .text(editing.name(of: $0.document)),
                    "floor": .text($0.document.plan?.floor ?? ""), "state": editing.badge($0.state),
                    "picture": PageValue(media.picture($0.document.plan?.picture)),
                ]
            })
        values["pager"] = editing.pager(found.total, offset, Self.pageSize)
        values["adding"] = .flag(form != nil || found.total == 0)
        return try await editing.page("plan_list", values, status: form == nil ? .ok : .unprocessableContent)
    }

    /// Pictures to choose from, with those of plans and the one that the form has.
    private static func media(_ used: [DocumentID], _ view: FormView, _ editing: Editing) async throws -> MediaChoices {
        let chosen = view.values["picture"].flatMap { DocumentID($0) }
        return try await MediaChoices(editing.store, chosen: used + [chosen].compactMap { $0 })
    }

    private func create(_ editing: Editing) async throws -> Response {
        var values = editing.values
        let refused = try await editing.takeUploads(into: &values)
        var body = PlanDocument()
        let mistakes = PlanForm(language: editing.language).read(values, into: &body)
        var view = FormView("plan", values, editing)
        view.mistakes = refused
        guard refused.isEmpty else { return try await list(editing, form: view) }
        switch try await editing.save(.plan(body), as: nil, over: nil, mistakes: mistakes) {
        case .saved(let stored):
            return try await editing.redirect(to: "/plans/\(stored.id)", done: "saved", undo: stored.id)
        case .refused(let mistakes):
            view.show(mistakes)
            return try await list(editing, form: view)
        case .conflict: return try await list(editing, form: view)
        }
    }

    private func show(
        _ stored: StoredDocument, _ editing: Editing, form: FormView? = nil, places: FormView? = nil
    ) async throws -> Response {
        guard let plan = stored.document.plan else { throw Refusal.notFound(editing.context.path) }
        let fields = PlanForm(language: editing.language)
        var view = form ?? FormView("plan", fields.values(of: plan), editing)
        if editing.language != editing.site.defaultLanguage {
            view.refer(
                to: PlanForm(language: editing.site.defaultLanguage).values(of: plan),
                own: fields.values(of: plan))
        }
        let media = try await Self.media([plan.picture].compactMap { $0 }, view, editing)
        view.choose("picture", .picture, from: media)
        var values = editing.values(of: stored, view)
        values["opened"] = .flag(form != nil || editing.query["language"] != nil)
        let picture = plan.picture.flatMap { media.known[$0] }
        let (width, height) = (picture?.width ?? 1600, picture?.height ?? 1000)
        // A mark is as large for the eye on any picture.
        let radius = max(width, height) / 60
        let (beacons, rest) = try await Self.beacons(of: stored.id, editing)
        values["not_shown"] = editing.texts.notShown(rest)
        values["beacons"] = .list(beacons.compactMap { beacon(of: $0, stored.id, places, width, height, editing) })
        values["picture"] = PageValue(picture.flatMap { MediaChoices.picture($0, 1280) })
        values["whole"] = picture == nil ? PageValue.none : PageValue(plan.picture.map { "/media/\($0)/file" })
        values["width"] = .text("\(width)")
        values["height"] = .text("\(height)")
        values["radius"] = .text("\(radius)")
        values["letter"] = .text("\(radius * 3 / 2)")
        if let places {
            values["mistakes"] = try await Self.mistakes(places, editing)
            values["has_mistakes"] = .flag(!places.mistakes.isEmpty)
        }
        let isRefused = form != nil || places != nil
        return try await editing.page(
            "plan", values, at: "/plans/\(stored.id)", status: isRefused ? .unprocessableContent : .ok)
    }

    /// Beacons of a plan and those of none, by name, and how many are left out. If there are too many, those of the
    /// plan are among them.
    private static func beacons(
        of plan: DocumentID, _ editing: Editing
    ) async throws -> (shown: [StoredDocument], rest: Int) {
        var all: [StoredDocument] = []
        var (read, total) = (0, 1)
        while read < total {
            let page = try await editing.store.documents(
                .beacon, DocumentQuery(limit: BeaconChoices.most, offset: read))
            all += page.documents.filter { $0.document.beacon.map { $0.plan == nil || $0.plan == plan } ?? false }
            guard !page.documents.isEmpty else { break }
            (read, total) = (read + page.documents.count, page.total)
        }
        guard all.count > mostBeacons else { return (all, 0) }
        let own = all.filter { $0.document.beacon?.plan == plan }
        let shown = Array((own + all.filter { $0.document.beacon?.plan == nil }).prefix(mostBeacons))
        return (shown, all.count - shown.count)
    }

    /// What is wrong with places, with the names of their beacons.
    private static func mistakes(_ places: FormView, _ editing: Editing) async throws -> PageValue {
        let beacons = try await editing.store.documents(Set(places.mistakes.keys.compactMap(beacon(ofField:))))
        return .list(
            places.mistakes.sorted { $0.key < $1.key }.map { field, message -> PageValue in
                let stored = beacon(ofField: field).flatMap { beacons[$0] }
                return [
                    "field": .text("f-" + FormView.key(field)), "message": .text(message),
                    "label": .text(stored.map { editing.name(of: $0.document) } ?? ""),
                ]
            })
    }

    /// The beacon whose place a field has: `place.ID.x`.
    private static func beacon(ofField name: String) -> DocumentID? {
        let parts = name.split(separator: ".")
        guard parts.count == 3, parts[0] == "place" else { return nil }
        return DocumentID(String(parts[1]))
    }

    /// Beacons of this plan, and those of none.
    private func beacon(
        of stored: StoredDocument, _ plan: DocumentID, _ places: FormView?, _ width: Int, _ height: Int,
        _ editing: Editing
    ) -> PageValue? {
        guard let beacon = stored.document.beacon, beacon.plan == nil || beacon.plan == plan else { return nil }
        let place = beacon.plan == plan ? beacon.place : nil
        var writer = FieldWriter(in: editing.language)
        writer.place("place.\(stored.id)", place)
        var view = places ?? FormView("plan", writer.values, editing)
        for axis in ["x", "y"] where view.values["place.\(stored.id).\(axis)"] == nil {
            view.values["place.\(stored.id).\(axis)"] = writer.values["place.\(stored.id).\(axis)"]
        }
        return [
            "id": .text(stored.id.text), "name": .text(editing.name(of: stored.document)),
            "is_placed": .flag(place != nil),
            "seen": .text(Self.words(of: place, "place.\(stored.id)", editing)),
            "left": PageValue(place.map { Int(($0.x * Double(width)).rounded()) }),
            "top": PageValue(place.map { Int(($0.y * Double(height)).rounded()) }),
            "x": view.field("place.\(stored.id).x", named: "place_x"),
            "y": view.field("place.\(stored.id).y", named: "place_y"),
        ]
    }

    private func save(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.plan)
        let form = PlanForm(language: editing.language)
        var values = editing.values
        let refused = try await editing.takeUploads(into: &values)
        var view = FormView("plan", values, editing)
        view.mistakes = refused
        guard refused.isEmpty else { return try await show(editing.seen(stored), editing, form: view) }
        switch try await editing.save(values, as: stored, into: &view, by: form, \.plan, Document.plan) {
        case .saved: return try await editing.redirect(to: "/plans/\(stored.id)", done: "saved", undo: stored.id)
        case .refused(let mistakes):
            view.show(mistakes)
            return try await show(editing.seen(stored), editing, form: view)
        case .conflict(let current): return try await show(current, editing, form: view)
        }
    }

    /// A place as its fields show it, in tenths of a percent: otherwise every beacon would move a little.
    private static func words(of place: PlanPoint?, _ field: String, _ editing: Editing) -> String {
        var writer = FieldWriter(in: editing.language)
        writer.place(field, place)
        return words(of: writer.values, field)
    }

    private static func words(of values: FormValues, _ field: String) -> String {
        ["x", "y"].map { values.trimmed("\(field).\($0)") ?? "" }.joined(separator: " ")
    }

    /// All places at once: fields `place.ID.x` and `place.ID.y` in percent. Only beacons that moved are saved, and none
    /// that lies in the bin.
    private func place(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.plan)
        let values = editing.values
        var view = FormView("plan", values, editing)
        var moved: DocumentID?
        let named = Set(values.texts.keys.compactMap(Self.beacon(ofField:)))
        let beacons = try await editing.store.documents(named).values
        for each in beacons.filter({ !$0.isDeleted }).sorted(by: { $0.id < $1.id }) {
            let field = "place.\(each.id)"
            guard var beacon = each.document.beacon, values["\(field).x"] != nil else { continue }
            let typed = Self.words(of: values, field)
            guard beacon.plan == nil || beacon.plan == stored.id else {
                // Somebody else has put it on another plan meanwhile.
                if let seen = values["seen.\(each.id)"], typed != seen {
                    view.mistakes["\(field).x"] = editing.texts.text("edit.conflict")
                }
                continue
            }
            var reader = FieldReader(values, in: editing.language)
            let before = beacon.plan == stored.id ? beacon.place : nil
            let now = Self.words(of: before, field, editing)
            // What the form showed: a place that only somebody else has changed meanwhile stays theirs.
            let seen = values["seen.\(each.id)"] ?? now
            guard typed != now, typed != seen else {
                // If the form comes back, it shows their place.
                if typed != now { (view.values["\(field).x"], view.values["\(field).y"]) = (nil, nil) }
                continue
            }
            guard seen == now else {
                view.mistakes["\(field).x"] = editing.texts.text("edit.conflict")
                view.others["\(field).x"] = now
                continue
            }
            var place = before
            reader.place(field, into: &place)
            beacon.place = place
            beacon.plan = place == nil ? nil : stored.id
            switch try await editing.save(.beacon(beacon), as: each.id, over: each.version, mistakes: reader.mistakes) {
            case .saved: moved = each.id
            case .refused(let mistakes): view.show(mistakes)
            case .conflict: view.mistakes["\(field).x"] = editing.texts.text("edit.conflict")
            }
        }
        guard view.mistakes.isEmpty else { return try await show(stored, editing, places: view) }
        return try await editing.redirect(to: "/plans/\(stored.id)", done: "saved", undo: moved, place: "places")
    }
}
