import Curation
import CurationStore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Media
import NIOCore
import Platform
import Publishing
import Serving
import Text

/// Everything out and in: archives, tables and the tour.
enum ExchangeAPI {
    private static let tag = "/exchange"

    static let routes = exports + imports

    // MARK: - Out

    private static let exports =
        [
            APIRoute(
                .get, "/export/site.zip", .read, tag,
                "Everything as a ZIP file: all drafts, the published site and the files", file: "application/zip"
            ) { request in
                let body = try ArchiveBody(try await request.services.exchange.archive())
                return file("site.zip", "application/zip", body.response(to: request.context.client))
            },
            APIRoute(
                .get, "/export/tour.xml", .read, tag, "The drafts as a tour in TourML", file: "application/xml"
            ) { request in
                let text = try await request.services.exchange.tourML(base: request.services.settings.address)
                return file("tour.xml", "application/xml", .init(ByteBuffer(string: text), to: request.context.client))
            },
        ]
        + SiteExchange.Table.allCases.map { table in
            APIRoute(
                .get, "/export/\(table).csv", .read, tag, "A table of the \(table) for spreadsheets", file: "text/csv"
            ) { request in
                let text = try await request.services.exchange.table(table).csv
                return file(
                    "\(table).csv", "text/csv; charset=utf-8",
                    .init(ByteBuffer(string: text), to: request.context.client))
            }
        }

    private static func file(_ name: String, _ type: String, _ body: ResponseBody) -> APIAnswer {
        APIAnswer(response: ExchangeRoutes.file(name, type, body))
    }

    // MARK: - In

    private static let dryRun = APIParameter.query("dry_run", .flag, "Only say what would be changed.")

    private static let imports =
        [
            APIRoute(
                .post, "/import/site.zip", .edit, tag,
                "Import an exported ZIP file; the settings in it need the scope admin", parameters: [dryRun],
                body: .bytes, answer: .ref("Import")
            ) { request in
                try await refusing { try await importArchive(request) }
            }
        ]
        + SiteExchange.Table.allCases.map { table in
            APIRoute(
                .post, "/import/\(table).csv", .edit, tag, "Import a table of the \(table)", parameters: [dryRun],
                body: .bytes, answer: .ref("Import")
            ) { request in
                try await refusing { try await importTable(table, request) }
            }
        }

    private static func importArchive(_ request: APIRequest) async throws -> APIAnswer {
        let archive = try await received(request)
        try await request.checkAuthor()
        // The settings are the administrators'.
        let scope: APIToken.Scope = (try? await request.checkAuthor(.admin)) == nil ? .edit : .admin
        let (exchange, name, isDry) = (request.services.exchange, "the archive", request.flag("dry_run"))
        let plan = isDry
            ? try await exchange.planArchive(archive.path, named: name, withSettings: scope == .admin)
            : try await exchange.importArchive(
                archive.path, named: name, withSettings: scope == .admin, by: request.author, at: request.now
            ) { try await request.checkAuthor(scope) }
        let changes = plan.changes.map { Row(id: $0.id, document: $0.after, what: $0.what, line: nil) }
        return try await answer(changes, unchanged: plan.unchanged, files: plan.files, isDry: isDry, request)
    }

    private static func importTable(_ table: SiteExchange.Table, _ request: APIRequest) async throws -> APIAnswer {
        let limit = PendingTables.largest
        var asked = request.request
        let bytes: [UInt8]
        do {
            bytes = Array(buffer: try await asked.collected(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Refusal(413, "the table has more than \(limit) bytes", whatToDo: "import it in parts")
        }
        try await request.checkAuthor()
        let exchange = request.services.exchange
        let plan = try await exchange.plan(table, bytes, source: "the table")
        guard plan.mistakes.isEmpty else {
            var refusal = Refusal(
                422, "the table has \(counted(plan.mistakes.count, "mistake")); nothing is imported",
                whatToDo: "correct the lines that mistakes names")
            refusal.mistakes = plan.mistakes.prefix(mostMistakes).map {
                Refusal.Mistake(
                    field: "\($0.line).\($0.column)", code: $0.problem.code.rawValue, message: $0.text)
            }
            throw refusal
        }
        let isDry = request.flag("dry_run")
        if !isDry { _ = try await exchange.carryOut(plan, by: request.author, at: request.now) }
        let changes = plan.changes.map {
            Row(id: $0.id, document: $0.after, what: $0.before == nil ? .added : .changed, line: $0.line)
        }
        return try await answer(changes, unchanged: plan.unchanged, files: 0, isDry: isDry, request)
    }

    private static let mostMistakes = 1000

    /// The body on the disk, as far as it is no larger than an upload.
    private static func received(_ request: APIRequest) async throws -> WorkFile {
        let limit = request.services.settings.largestUpload
        let tooLarge = Refusal(
            413, "the archive is larger than \(limit >> 20) MiB",
            whatToDo: "import it in parts, or raise --upload-limit")
        let writer = try await ArchiveWriter.begin(in: request.services.media)
        try await request.request.readBody(upTo: limit, orThrow: tooLarge) { try await writer.write(Array(buffer: $0)) }
        return writer.finish()
    }

    /// What cannot be imported is the caller's fault, but for the disk.
    private static func refusing(_ work: () async throws -> APIAnswer) async throws -> APIAnswer {
        do {
            return try await work()
        } catch let error as PublishingError where error.code != .storage {
            throw Refusal(422, error, remedy: "export it again")
        }
    }

    private struct Row {
        var id: DocumentID
        var document: Document
        var what: ArchivePlan.What
        var line: Int?
    }

    private static func answer(
        _ changes: [Row], unchanged: Int, files: Int, isDry: Bool, _ request: APIRequest
    ) async throws -> APIAnswer {
        let languages = try await request.services.siteLanguages()
        return APIAnswer(
            AnswerText.object { json in
                json.value("saved", !isDry)
                json.value("unchanged", unchanged)
                json.value("files", files)
                json.array("changes") { json in
                    for change in changes {
                        json.object { json in
                            json.value("id", change.id.text)
                            json.value("kind", change.document.kind.rawValue)
                            json.value("name", change.document.name(in: languages))
                            json.value("what", change.what.rawValue)
                            json.value("line", change.line)
                        }
                    }
                }
            })
    }
}
