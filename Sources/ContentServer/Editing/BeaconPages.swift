import Beacon
import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Serving

/// Beacons: the list, and one beacon with its images.
package struct BeaconPages: RouteGroup {
    package init() {}

    /// Beacons on a page of the list.
    static let pageSize = 50

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/beacons") { request, context in
            try await list(try await .begin(request, context, services))
        }
        router.get("/beacons/new") { request, context in
            try await list(try await .begin(request, context, services), isAdding: true)
        }
        router.post("/beacons") { request, context in
            try await create(try await .begin(request, context, services))
        }
        router.get("/beacons/:id") { request, context in
            let editing = try await Editing.begin(request, context, services)
            return try await show(try await editing.document(.beacon), editing)
        }
        router.post("/beacons/:id") { request, context in
            try await save(try await .begin(request, context, services))
        }
    }

    // MARK: - The list

    private func list(
        _ editing: Editing, form: FormView? = nil, isAdding: Bool = false
    ) async throws -> Response {
        let text = editing.query["q"] ?? ""
        let state = editing.query["state"].flatMap { StoredDocument.State(rawValue: $0) }
        let offset = PageWindow.offset(editing.query["offset"])
        let found = try await editing.store.documents(
            .beacon, DocumentQuery(text: text, state: state, limit: Self.pageSize, offset: offset))
        let counts = try await editing.store.imageCounts()
        let heard = try await HeardBeacons(editing, of: found.documents.compactMap { $0.document.beacon?.id })
        var view =
            form ?? FormView("beacon", BeaconForm(language: editing.language).values(of: BeaconDocument()), editing)
        if form == nil, let next = try await nextIdentity(editing) {
            view.values["uuid"] = "\(next.uuid)".uppercased()
            view.values["major"] = "\(next.major)"
            view.values["minor"] = "\(next.minor)"
        }
        var values = view.page
        values["beacons"] = .list(
            found.documents.compactMap { stored in
                guard let beacon = stored.document.beacon else { return nil }
                return [
                    "id": .text(stored.id.text), "name": .text(editing.name(of: stored.document)),
                    "identity": .text(Self.identity(beacon)), "floor": .text(beacon.floor),
                    "images": .text("\(counts[stored.id] ?? 0)"), "state": editing.badge(stored.state),
                    "health": heard.words(of: beacon.id, editing.texts),
                ]
            })
        values["text"] = .text(text)
        values["states"] = .list(
            StoredDocument.State.allCases.filter { $0 != .removed }.map {
                [
                    "value": .text($0.rawValue), "text": .text(editing.texts.text("edit.state.\($0.rawValue)")),
                    "chosen": .flag($0 == state),
                ]
            })
        values["is_empty"] = .flag(found.total == 0 && text.isEmpty && state == nil)
        values["is_searched"] = .flag(!text.isEmpty || state != nil)
        values["total"] = .text("\(found.total)")
        values["pager"] = editing.pager(found.total, offset, Self.pageSize)
        let unnamed = try await heard.unnamed(editing)
        values["unnamed"] = unnamed
        values["unnamed_any"] = .flag(unnamed != [])
        values["uncategorized"] = .text("\(counts[nil] ?? 0)")
        values["adding"] = .flag(form != nil || isAdding || found.total == 0)
        return try await editing.page("beacon_list", values, status: form == nil ? .ok : .unprocessableContent)
    }

    /// The identity of the beacon that was added last, with the next free minor.
    private func nextIdentity(_ editing: Editing) async throws -> BeaconID? {
        let latest = try await editing.store.documents(.beacon, DocumentQuery(limit: 1, order: .changed))
        guard var id = latest.documents.first?.document.beacon?.id else { return nil }
        for _ in 0..<200 where id.minor < .max {
            id = BeaconID(uuid: id.uuid, major: id.major, minor: id.minor + 1)
            if try await editing.store.beacon(id) == nil { return id }
        }
        return nil
    }

    private func create(_ editing: Editing) async throws -> Response {
        let form = BeaconForm(language: editing.language)
        var body = BeaconDocument()
        var values = editing.values
        // A beacon that devices receive, taken by its button.
        if let picked = values["pick"] { values["uuid"] = picked }
        let mistakes = form.read(values, into: &body)
        switch try await editing.save(.beacon(body), as: nil, over: nil, mistakes: mistakes) {
        case .saved(let stored):
            return try await editing.redirect(
                to: "/beacons/\(stored.id)", done: "beacon_added", undo: stored.id, place: "add-images")
        case .refused(let mistakes):
            var view = FormView("beacon", values, editing)
            view.show(mistakes)
            return try await list(editing, form: view)
        case .conflict(let current):
            return try await show(current, editing)
        }
    }

    // MARK: - One beacon

    private func show(
        _ stored: StoredDocument, _ editing: Editing, form: FormView? = nil
    ) async throws -> Response {
        guard let body = stored.document.beacon else { throw Refusal.notFound(editing.context.path) }
        let fields = BeaconForm(language: editing.language)
        var view = form ?? FormView("beacon", fields.values(of: body), editing)
        if editing.language != editing.site.defaultLanguage {
            view.refer(
                to: BeaconForm(language: editing.site.defaultLanguage).values(of: body),
                own: fields.values(of: body))
        }
        let plans = try await editing.store.documents(.plan, DocumentQuery(limit: PlanPages.mostPlans))
        let choices = try await editing.choices(
            plans.documents.map { ($0.id.text, editing.name(of: $0.document)) }, with: view.values["plan"], .plan)
        view.choose(
            "plan", [("", editing.texts.text("edit.beacon.no_plan"))] + choices,
            unlisted: plans.total - plans.documents.count)
        var values = editing.values(of: stored, view)
        values.merge(try await ImageCards.page(of: stored.id, editing)) { $1 }
        values["identity"] = .text(Self.identity(body))
        let heard = try await HeardBeacons(editing, of: [body.id].compactMap { $0 })
        values["health"] = heard.words(of: body.id, editing.texts)
        values["opened"] = .flag(form != nil || editing.query["language"] != nil || body.id == nil)
        values["pictures_to"] = .text("/beacons/\(stored.id)/images")
        return try await editing.page(
            "beacon", values, at: "/beacons/\(stored.id)", status: form == nil ? .ok : .unprocessableContent)
    }

    private func save(_ editing: Editing) async throws -> Response {
        let stored = try await editing.document(.beacon)
        let form = BeaconForm(language: editing.language)
        var view = FormView("beacon", editing.values, editing)
        switch try await editing.save(editing.values, as: stored, into: &view, by: form, \.beacon, Document.beacon) {
        case .saved:
            return try await editing.redirect(
                to: "/beacons/\(stored.id)", done: "saved", undo: stored.id, place: "details")
        case .refused(let mistakes):
            view.show(mistakes)
            return try await show(editing.seen(stored), editing, form: view)
        case .conflict(let current): return try await show(current, editing, form: view)
        }
    }

    static func identity(_ beacon: BeaconDocument) -> String {
        guard beacon.uuid != nil || beacon.major != nil || beacon.minor != nil else { return "" }
        let uuid = beacon.uuid.map { "\($0)".uppercased() } ?? "?"
        return "\(uuid)/\(beacon.major.map { "\($0)" } ?? "?")/\(beacon.minor.map { "\($0)" } ?? "?")"
    }
}
