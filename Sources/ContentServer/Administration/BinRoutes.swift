import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import Serving

/// What was deleted and can be restored.
package struct BinRoutes: RouteGroup {
    static let rows = 50

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/bin") { _, context in
            try context.signedIn()
            return try await Self.page(services, context)
        }
        router.post("/bin/:id/restore") { _, context in
            let visitor = try context.signedIn(.editor)
            guard let id = context.parameters.get("id").flatMap(DocumentID.init) else {
                throw Refusal.notFound(context.path)
            }
            do {
                let document = try await services.store.restore(id, by: visitor.author, at: services.now())
                return services.redirect(to: DocumentLink.path(document.document.kind, id) + "?done=restored")
            } catch let error as StoreError where [.taken, .limit, .invalid].contains(error.code) {
                return try await Self.page(services, context, problem: services.texts(context).problem(error))
            }
        }
        router.post("/bin/empty") { _, context in
            let visitor = try context.signedIn(.administrator)
            try await services.store.emptyBin(by: visitor.author, at: services.now())
            return services.redirect(to: "/bin?done=emptied")
        }
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, problem: String = ""
    ) async throws -> Response {
        let texts = services.texts(context)
        let offset = PageWindow.offset(context.query["from"])
        let found = try await services.store.bin(limit: rows, offset: offset)
        let languages = try await services.siteLanguages()
        let list = found.documents.map { stored -> PageValue in
            [
                "id": .text(stored.id.text), "kind": .text(texts.text("kind.\(stored.document.kind.rawValue)")),
                "name": .text(texts.name(of: stored.document, languages)), "by": .text(stored.changedBy),
                "at": .moment(stored.deletedAt),
            ]
        }
        let values: [String: PageValue] = [
            "documents": .map(["any": .flag(!list.isEmpty), "list": .list(list)]), "problem": .text(problem),
            "pager": PageWindow(path: "/bin?", offset: offset, rows: rows, total: found.total).value(texts),
        ]
        return try await services.page(
            "bin", values, context, status: problem.isEmpty ? .ok : .unprocessableContent)
    }
}
