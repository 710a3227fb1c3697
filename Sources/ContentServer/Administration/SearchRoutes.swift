import Curation
import CurationStore
import HTTPTypes
package import Hummingbird

/// Finds documents of all kinds by their texts.
package struct SearchRoutes: RouteGroup {
    /// Found documents of each kind that the page shows.
    static let rows = 12
    static let longestQuery = 200

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/search") { _, context in
            try context.signedIn()
            let query = String((context.query["q"] ?? "").prefix(Self.longestQuery))
            let texts = services.texts(context)
            var values: [String: PageValue] = [
                "query": .text(query), "words": .text(texts.text("search.results", query)),
            ]
            if !query.allSatisfy(\.isWhitespace) {
                let groups = try await Self.groups(query, services, texts)
                values["groups"] = .map(["list": .list(groups)])
                values["none"] = .flag(groups.isEmpty)
            }
            return try await services.page("search", values, context)
        }
    }

    private static func groups(
        _ query: String, _ services: CuratorServices, _ texts: Catalogue
    ) async throws -> [PageValue] {
        let languages = try await services.siteLanguages()
        var groups: [PageValue] = []
        for (kind, path) in [(Document.Kind.beacon, "/beacons"), (.image, nil), (.media, "/media"), (.plan, nil)] {
            let found = try await services.store.documents(kind, DocumentQuery(text: query, limit: rows))
            guard !found.documents.isEmpty else { continue }
            groups.append([
                "id": .text(kind.rawValue), "title": .text(texts.text("search.\(kind.rawValue)")),
                "total": .text("\(found.total)"),
                "more": found.total > rows
                    ? path.map { .text("\($0)?q=\(QueryText.encoded(query))") } ?? .none : .none,
                "documents": .list(
                    found.documents.map { stored in
                        [
                            "href": .text(DocumentLink.path(kind, stored.id)),
                            "name": .text(texts.name(of: stored.document, languages)),
                            "state": .text(texts.text("state.\(stored.state.rawValue)")),
                            "tone": .text(DocumentLink.tone(stored.state)),
                        ]
                    }),
            ])
        }
        return groups
    }
}
