import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Media
import NIOCore
import Platform
import Publishing
import Serving
import Text

/// Everything out as a ZIP, as tables and as a tour; archives and tables in, tables after a look at what would change.
package struct ExchangeRoutes: RouteGroup {
    private let pending = PendingTables()

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        let exchange = services.exchange
        router.get("/exchange") { _, context in
            try context.signedIn()
            return try await Self.page(services, context)
        }
        router.get("/exchange/site.zip") { _, context in
            try context.signedIn()
            let body = try ArchiveBody(try await exchange.archive())
            return Self.file("site.zip", "application/zip", body.response(to: context.client))
        }
        for table in SiteExchange.Table.allCases {
            router.get("/exchange/\(table.rawValue).csv") { _, context in
                try context.signedIn()
                let text = try await exchange.table(table).csv
                return Self.file(
                    "\(table.rawValue).csv", "text/csv; charset=utf-8",
                    .init(ByteBuffer(string: text), to: context.client))
            }
        }
        router.get("/exchange/tour.xml") { _, context in
            try context.signedIn()
            let text = try await exchange.tourML(base: services.settings.address)
            return Self.file("tour.xml", "application/xml", .init(ByteBuffer(string: text), to: context.client))
        }
        router.post("/exchange") { [pending] _, context in
            let visitor = try context.signedIn(.editor)
            return try await Self.take(exchange, pending, visitor, services, context)
        }
        router.post("/exchange/apply") { [pending] _, context in
            let visitor = try context.signedIn(.editor)
            let texts = services.texts(context)
            guard let kept = pending.take(context.form["table"] ?? "", of: visitor.account) else {
                return try await Self.page(services, context, problem: texts.text("exchange.gone"))
            }
            do {
                // Planned again: somebody may have saved meanwhile.
                let plan = try await exchange.plan(kept.table, kept.bytes, source: kept.name)
                let count = try await exchange.carryOut(plan, by: visitor.author, at: services.now())
                return try await Self.page(services, context, done: texts.text("exchange.done", "\(count)"))
            } catch let error as any ExplainedError {
                return try await Self.page(services, context, problem: texts.words(error))
            }
        }
    }

    /// Takes an archive at once, and shows what a table would change.
    private static func take(
        _ exchange: SiteExchange, _ pending: PendingTables, _ visitor: Visitor, _ services: CuratorServices,
        _ context: CuratorContext
    ) async throws -> Response {
        let texts = services.texts(context)
        guard let file = context.form.files.first, case .archive(let archive) = file.content else {
            return try await page(services, context, problem: texts.text("exchange.missing"))
        }
        let table = SiteExchange.Table(rawValue: context.form["kind"] ?? "")
        do {
            guard let table else {
                let plan = try await exchange.importArchive(
                    archive.path, named: file.name, withSettings: visitor.role >= .administrator, by: visitor.author,
                    at: services.now()
                ) {
                    var context = context
                    context.visitor = try await services.visitor(of: context)
                    try context.signedIn(visitor.role)
                }
                return try await page(services, context, done: texts.text("exchange.done", "\(plan.changes.count)"))
            }
            guard let bytes = try await OwnThread.run({ FileContents.read(archive.path, limit: PendingTables.largest) })
            else {
                let limit = ByteCount.text(Int64(PendingTables.largest))
                return try await page(services, context, problem: texts.text("problem.file_too_large", limit))
            }
            // Archives begin so, and so do most spreadsheets.
            guard !bytes.starts(with: "PK".utf8) else {
                return try await page(services, context, problem: texts.text("exchange.not_table", file.name))
            }
            let plan = try await exchange.plan(table, bytes, source: file.name)
            let isRight = plan.mistakes.isEmpty && !plan.changes.isEmpty
            let name =
                isRight
                ? pending.keep(
                    .init(account: visitor.account, table: table, bytes: bytes, name: file.name, at: services.now()))
                : ""
            let view = try await TablePlanView(plan, name: name, services, texts)
            return try await page(services, context, plan: view.value, status: isRight ? .ok : .unprocessableContent)
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as PublishingError where table == nil && error.code != .storage {
            // The remedies of archives are for a terminal.
            let words = texts.text("exchange.not_archive", error.placedProblem)
            return try await page(services, context, problem: words)
        } catch let error as any ExplainedError {
            return try await page(services, context, problem: texts.words(error))
        }
    }

    static func file(_ name: String, _ type: String, _ body: ResponseBody) -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        return Response(status: .ok, headers: headers, body: body)
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, problem: String = "", done: String = "",
        plan: PageValue = .none, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let values: [String: PageValue] = ["problem": .text(problem), "finished": .text(done), "plan": plan]
        return try await services.page(
            "exchange", values, context, status: problem.isEmpty ? status : .unprocessableContent)
    }
}
