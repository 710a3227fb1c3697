import Curation
import CurationStore
import HTTPTypes
import Serving
import SiteFormat
import Text

/// Documents of each kind: list, make, read, replace, delete, restore, and where they are used.
enum DocumentAPI {
    static let routes: [APIRoute] =
        [
            (Document.Kind.beacon, "/beacons"), (.image, "/images"), (.media, "/media"), (.plan, "/plans"),
        ].flatMap { kind, path in of(kind, path) } + site

    private static let versionNumbers = 0...Int64.max >> 11

    private static func of(_ kind: Document.Kind, _ path: String) -> [APIRoute] {
        let routes = [list(kind, path)] + document(kind, path) + around(kind, path)
        // Files come into the library by uploads only.
        return kind == .media ? routes : routes + [making(kind, path)]
    }

    private static let id = APIParameter.path("id", .id, "The document's name.")

    private static func stored(_ kind: Document.Kind) -> Schema { .ref("Stored\(DocumentSchemas.name(kind))") }

    private static let listing: [APIParameter] = [
        .query("text", .text(most: 200), "Words that must occur, in any language."),
        .query("state", .choice(StoredDocument.State.allCases.map(\.rawValue)), "Only those in this state."),
        .query("deleted", .flag, "Those in the bin."),
        .query("order", .choice(DocumentQuery.Order.allCases.map(\.rawValue)), "How they are sorted."),
        .query(
            "limit", .integer(1...500),
            "The most that are listed; 50 without it. Fewer come if they have more than 4 MiB: go on by their number."),
        .query("offset", .integer(0...1_000_000), "How many are left out at the start."),
    ]

    private static func list(_ kind: Document.Kind, _ path: String) -> APIRoute {
        APIRoute(
            .get, path, .read, path, "List documents of the kind \(kind.rawValue)", parameters: listing,
            answer: .ref("\(DocumentSchemas.name(kind))Page")
        ) { request in
            var query = DocumentQuery()
            query.text = request["text"] ?? ""
            query.state = request["state"].flatMap { StoredDocument.State(rawValue: $0) }
            query.isDeleted = request.flag("deleted")
            query.order = request["order"].flatMap { DocumentQuery.Order(rawValue: $0) } ?? .name
            query.limit = Int(request.integer("limit") ?? 50)
            query.offset = Int(request.integer("offset") ?? 0)
            query.bytes = AnswerText.largestPage
            let page = try await request.store.documents(kind, query)
            return APIAnswer(await AnswerText.page(page.documents, of: page.total))
        }
    }

    private static func making(_ kind: Document.Kind, _ path: String) -> APIRoute {
        APIRoute(
            .post, path, .edit, path, "Make a document of the kind \(kind.rawValue)",
            body: .json(.ref(DocumentSchemas.name(kind))), status: 201, answer: stored(kind)
        ) { request in
            try await save(request, kind, as: nil, path: path)
        }
    }

    /// Reading, replacing and deleting one.
    private static func document(_ kind: Document.Kind, _ path: String) -> [APIRoute] {
        let one = "\(path)/{id}"
        return [
            APIRoute(
                .get, one, .read, path, "Read a document; its ETag is its version", parameters: [id],
                answer: stored(kind)
            ) { request in
                try await answer(request, kind)
            },
            APIRoute(
                .put, one, .edit, path, "Replace a document", parameters: [id], needsVersion: true,
                body: .json(.ref(DocumentSchemas.name(kind))), answer: stored(kind)
            ) { request in
                let id = try await found(request, kind).id
                return try await save(request, kind, as: id)
            },
            APIRoute(
                .delete, one, .edit, path, "Put a document into the bin", parameters: [id], needsVersion: true,
                status: 204
            ) { request in
                let id = try await found(request, kind).id
                do throws(StoreError) {
                    try await request.store.delete(id, over: request.version, by: request.author, at: request.now)
                } catch {
                    throw conflict(error)
                }
                return APIAnswer()
            },
        ]
    }

    /// What else can be asked of one.
    private static func around(_ kind: Document.Kind, _ path: String) -> [APIRoute] {
        let one = "\(path)/{id}"
        return [
            APIRoute(
                .post, "\(one)/restore", .edit, path, "Take a document out of the bin", parameters: [id],
                answer: stored(kind)
            ) { request in
                let id = try await found(request, kind).id
                let stored = try await request.store.restore(id, by: request.author, at: request.now)
                return APIAnswer(AnswerText.object { AnswerText.stored(stored, &$0) }, fields: AnswerText.tag(stored))
            },
            APIRoute(
                .get, "\(one)/uses", .read, path, "Where a document is used", parameters: [id], answer: .ref("Uses")
            ) { request in
                let id = try await found(request, kind).id
                return APIAnswer(AnswerText.list("uses", try await request.store.uses(of: id), AnswerText.use))
            },
            APIRoute(
                .get, "\(one)/versions/{number}", .read, path, "Read an older version of a document",
                parameters: [id, .path("number", .integer(versionNumbers), "The version.")],
                answer: .ref(DocumentSchemas.name(kind))
            ) { request in
                let id = try await found(request, kind).id
                return APIAnswer(
                    AnswerText.body(try await request.store.version(of: id, request.integer("number") ?? 0)))
            },
        ]
    }

    private static let site = [
        APIRoute(.get, "/site", .read, "/site", "Read the site's settings", answer: .ref("StoredSiteDocument")) {
            request in
            let stored = try await request.store.site()
            return APIAnswer(AnswerText.object { AnswerText.stored(stored, &$0) }, fields: AnswerText.tag(stored))
        },
        APIRoute(
            .put, "/site", .admin, "/site", "Replace the site's settings", needsVersion: true,
            body: .json(.ref("SiteDocument")), answer: .ref("StoredSiteDocument")
        ) { request in
            try await save(request, .site, as: .site)
        },
    ]

    // MARK: - Parts

    /// The document that the path names, if it is of this kind.
    static func found(_ request: APIRequest, _ kind: Document.Kind) async throws -> StoredDocument {
        let stored = try await request.store.document(try request.id())
        guard stored.document.kind == kind else {
            throw Refusal(404, "there is no \(kind.rawValue) \(stored.id)", whatToDo: "list the documents")
        }
        return stored
    }

    private static func answer(_ request: APIRequest, _ kind: Document.Kind) async throws -> APIAnswer {
        let stored = try await found(request, kind)
        var fields = AnswerText.tag(stored)
        fields[.cacheControl] = "no-cache"
        return APIAnswer(AnswerText.object { AnswerText.stored(stored, &$0) }, fields: fields)
    }

    private static func save(
        _ request: APIRequest, _ kind: Document.Kind, as id: DocumentID?, path: String = ""
    ) async throws -> APIAnswer {
        let document = try await request.read { body throws(ContentError) in
            try Document(kind, json: body, source: "body")
        }
        var version = request.version
        if let id, version == nil { version = try await request.store.document(id).version }
        if let id, case .media(let body) = document, let former = try await request.store.document(id).document.media {
            guard body.hash == former.hash, body.bytes == former.bytes, body.mediaType == former.mediaType else {
                throw Refusal(
                    422, "the bytes of a file of the library cannot be replaced", whatToDo: "upload another file")
            }
        }
        let saving = DraftSaving(
            services: request.services, site: try await request.store.site().document.site ?? SiteDocument(),
            author: request.author)
        switch try await saving.save(document, as: id, over: version) {
        case .saved(let stored):
            var fields = AnswerText.tag(stored)
            if id == nil { fields[.location] = "\(ManagingRoutes.base)\(path)/\(stored.id)" }
            return APIAnswer(AnswerText.object { AnswerText.stored(stored, &$0) }, fields: fields)
        case .refused(let mistakes): throw refusal(mistakes)
        case .conflict(let stored) where stored.isDeleted:
            throw Refusal(
                412, "\(stored.changedBy) has deleted the document",
                whatToDo: "restore it from the bin, and read it again")
        case .conflict(let stored):
            throw Refusal(
                412, "\(stored.changedBy) has saved version \(stored.version) meanwhile",
                whatToDo: "read the document again, and put your change into it")
        }
    }

    static func refusal(_ mistakes: [FieldMistake]) -> Refusal {
        var refusal = Refusal(422, "the document has mistakes", whatToDo: "correct the fields that mistakes names")
        refusal.mistakes = mistakes.map { mistake in
            Refusal.Mistake(
                field: mistake.field, code: mistake.problem.code.rawValue, message: mistake.problem.english)
        }
        return refusal
    }

    private static func conflict(_ error: StoreError) -> any Error {
        guard error.code == .conflict else { return error }
        return Refusal(412, error.placedProblem, whatToDo: "read the document again")
    }
}
