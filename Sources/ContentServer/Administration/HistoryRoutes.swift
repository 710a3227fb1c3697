import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import Serving

/// Who changed what and when, in words, with undo.
package struct HistoryRoutes: RouteGroup {
    static let rows = 40

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/history") { _, context in
            try context.signedIn()
            return try await Self.page(services, context)
        }
        router.post("/history/:number/undo") { _, context in
            let visitor = try context.signedIn(.editor)
            guard let number = context.parameters.get("number").flatMap({ Int64($0) }) else {
                throw Refusal.notFound(context.path)
            }
            do {
                // The settings are the administrators', also when they are set back.
                if try await services.store.change(number).documentKind == .site {
                    try context.signedIn(.administrator)
                }
                _ = try await services.store.undo(number, by: visitor.author, at: services.now())
                return services.redirect(to: "/history?done=undone")
            } catch let error as StoreError where [.conflict, .taken, .limit].contains(error.code) {
                return try await Self.page(services, context, refused: error)
            }
        }
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, refused: StoreError? = nil
    ) async throws -> Response {
        let texts = services.texts(context)
        let document = context.query["document"].flatMap { DocumentID($0) }
        let by = context.query["by"] ?? ""
        let changes = try await services.store.changes(
            ChangeQuery(
                document: document, by: by.isEmpty ? nil : by, before: context.query["before"].flatMap { Int64($0) },
                limit: rows + 1))
        let words = try await ChangeWords(services, texts)
        var list: [PageValue] = []
        for change in changes.prefix(rows) {
            list.append(try await words.value(change, mayUndo: (context.visitor?.role ?? .viewer) >= .editor))
        }
        let older = changes.count > rows ? changes[rows - 1].number : nil
        var problem = ""
        if let refused {
            problem = refused.code == .conflict ? texts.text("history.undo.late") : texts.problem(refused)
        }
        let subject = document.flatMap { id in changes.first { $0.document == id }?.name }
        let names = try await services.store.accounts().map(\.name)
        let values: [String: PageValue] = [
            "changes": .map(["any": .flag(!list.isEmpty), "list": .list(list)]),
            "subject": .text(document == .site ? texts.text("kind.site") : subject ?? ""),
            "problem": .text(problem),
            "accounts": document == nil && names.count > 1
                ? [
                    "list": .list(names.map { ["name": .text($0), "isCurrent": .flag($0 == by)] })
                ] : .none,
            "pager": pager(document, by, older: older, isFirst: context.query["before"] == nil),
        ]
        return try await services.page("history", values, context, status: refused == nil ? .ok : .conflict)
    }

    private static func pager(_ document: DocumentID?, _ by: String, older: Int64?, isFirst: Bool) -> PageValue {
        let query = [document.map { "document=\($0)" }, by.isEmpty ? nil : "by=\(QueryText.encoded(by))"]
            .compactMap { $0 }
        func path(_ more: [String]) -> PageValue {
            let all = query + more
            return .text("/history" + (all.isEmpty ? "" : "?" + all.joined(separator: "&")))
        }
        return [
            "newest": isFirst ? .none : path([]),
            "older": older.map { path(["before=\($0)"]) } ?? .none,
        ]
    }
}
