import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import Text

/// What has changed since the last publication, what the gate says, and one button.
package struct PublishRoutes: RouteGroup {
    static let longestNote = 500

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/publish") { _, context in
            try context.signedIn()
            return try await Self.page(services, context)
        }
        router.post("/publish") { _, context in
            let visitor = try context.signedIn(.editor)
            let changes = try await services.store.pending()
            let pending = Set(changes.map(\.id))
            // Those that are not listed go with all that are.
            let listed = Set(changes.prefix(PublishListing.mostChanges).map(\.id))
            let selected = Set(context.form.all("select").compactMap(DocumentID.init)).intersection(pending)
            // Never "all drafts": what others save meanwhile was neither chosen nor checked.
            let selection = listed.isSubset(of: selected) ? pending : selected
            let texts = services.texts(context)
            guard !selected.isEmpty else {
                return try await Self.page(services, context, selected: selected, refusal: texts.text("publish.none"))
            }
            let check = try await PublishCheck(services.store, selection)
            guard check.refusals.isEmpty else {
                return try await Self.page(
                    services, context, selected: selected,
                    refusal: texts.plural("publish.refusals", check.refusals.count))
            }
            do {
                try await services.publisher.publish(
                    selection, note: String((context.form["note"] ?? "").prefix(Self.longestNote)), by: visitor.author)
            } catch let error as StoreError where error.code == .invalid {
                return try await Self.page(services, context, selected: selected, refusal: texts.problem(error))
            }
            return services.redirect(to: "/revisions?done=published")
        }
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, selected: Set<DocumentID>? = nil, refusal: String = ""
    ) async throws -> Response {
        let texts = services.texts(context)
        let check = try await services.checkOfAllDrafts()
        let words = try await ChangeWords(services, texts)
        let current = try await services.store.currentRevision()
        let numbers = try await services.store.revisionNumbers()
        let listing = PublishListing(check: check, selected: selected, texts: texts, words: words)
        let groups = try await listing.groups()
        let count = check.pending.count
        let values: [String: PageValue] = [
            "any": .flag(count > 0), "isFirst": .flag(current == nil), "groups": .list(groups),
            "refusal": .text(refusal), "ahead": texts.devicesAhead(numbers),
            "count": .text(
                current.map { texts.plural("publish.changes", count, "\($0.number)") }
                    ?? texts.plural("publish.first", count)),
            "refusals": check.refusals.isEmpty
                ? .none : .text(texts.plural("publish.refusals", check.refusals.count)),
            "warnings": listing.warnings > 0 ? .text(texts.plural("publish.warnings", listing.warnings)) : .none,
            "note": .text(refusal.isEmpty ? "" : context.form["note"] ?? ""),
            "button": .text(texts.text("publish.button", "\(numbers.next)")),
            "site": listing.siteFindings,
            "unlisted": count > PublishListing.mostChanges
                ? .text(texts.plural("publish.unlisted", count - PublishListing.mostChanges)) : .none,
        ]
        return try await services.page(
            "publish", values, context, status: refusal.isEmpty ? .ok : .unprocessableContent)
    }
}
