import Curation
import CurationStore
import Serving
import Text

/// Drafts, revisions and the history.
enum PublishingAPI {
    private static let tag = "/publishing"
    private static let numbers = 1...Int64(1) << 40
    private static let number = APIParameter.path("number", .integer(numbers), "Its number.")
    private static let paging: [APIParameter] = [
        .query("limit", .integer(1...500), "The most that are listed; 50 without it."),
        .query("before", .integer(numbers), "Only those with a lower number."),
    ]

    private struct Publication: Decodable {
        var documents: [DocumentID]?
        var note: String?
    }

    private static let note = Schema.text(most: 2000)

    static let routes = [
        APIRoute(
            .get, "/pending", .read, tag, "What is not as it is published", answer: .ref("Pending")
        ) { request in
            APIAnswer(AnswerText.list("pending", try await request.store.pending(), AnswerText.pending))
        },
        APIRoute(
            .get, "/check", .read, tag, "What the gate finds in the drafts, document by document",
            answer: .ref("Findings")
        ) { request in
            try await check(request)
        },
        APIRoute(
            .get, "/revisions", .read, tag, "The revisions, the newest first", parameters: paging,
            answer: .ref("Revisions")
        ) { request in
            let revisions = try await request.store.revisions(
                limit: Int(request.integer("limit") ?? 50), before: request.integer("before"))
            return APIAnswer(AnswerText.list("revisions", revisions, AnswerText.revision))
        },
        APIRoute(
            .post, "/revisions", .publish, tag, "Publish drafts: those that are named, or all",
            body: .json(.object(["documents": .list(DocumentSchemas.id, most: 10_000), "note": note])), status: 201,
            answer: .ref("Revision")
        ) { request in
            let wish = try await request.decoded(Publication.self)
            let check = try await PublishCheck(request.store, wish.documents.map(Set.init))
            try await demandKnown(wish.documents ?? [], check, request.store)
            do {
                try check.demandReady()
            } catch let error as GateRefusal {
                var refusal = Refusal(422, error.problem, whatToDo: error.remedy)
                refusal.problems = error.lines
                throw refusal
            }
            // Never "all drafts": what others save meanwhile was not checked.
            let revision = try await request.services.publisher.publish(
                Set(wish.documents ?? check.pending.map(\.id)), note: try bounded(wish.note), by: request.author)
            return APIAnswer(AnswerText.object { AnswerText.revision(revision, &$0) })
        },
        APIRoute(
            .get, "/revisions/{number}", .read, tag, "One revision", parameters: [number], answer: .ref("Revision")
        ) { request in
            let revision = try await request.store.revision(request.integer("number") ?? 0)
            return APIAnswer(AnswerText.object { AnswerText.revision(revision, &$0) })
        },
        APIRoute(
            .post, "/revisions/{number}/rollback", .publish, tag, "Publish an earlier revision again",
            parameters: [number], body: .json(.object(["note": note])), status: 201, answer: .ref("Revision")
        ) { request in
            let wish = try await request.decoded(Publication.self)
            let revision = try await request.services.publisher.rollBack(
                to: request.integer("number") ?? 0, note: try bounded(wish.note), by: request.author)
            return APIAnswer(AnswerText.object { AnswerText.revision(revision, &$0) })
        },
        APIRoute(
            .get, "/changes", .read, "/history", "What was done, the newest first",
            parameters: paging + [.query("document", .id, "Only those of this document.")], answer: .ref("Changes")
        ) { request in
            var query = ChangeQuery()
            query.document = request["document"] == nil ? nil : try request.id("document")
            query.before = request.integer("before")
            query.limit = Int(request.integer("limit") ?? 50)
            return APIAnswer(AnswerText.list("changes", try await request.store.changes(query), AnswerText.change))
        },
        APIRoute(
            .get, "/changes/{number}", .read, "/history", "One change", parameters: [number], answer: .ref("Change")
        ) { request in
            let change = try await request.store.change(request.integer("number") ?? 0)
            return APIAnswer(AnswerText.object { AnswerText.change(change, &$0) })
        },
        APIRoute(
            .post, "/changes/{number}/undo", .edit, "/history", "Take a change back", parameters: [number],
            answer: .ref("Change")
        ) { request in
            let number = request.integer("number") ?? 0
            if try await request.store.change(number).documentKind == .site {
                try await request.checkAuthor(.admin)
            }
            let change = try await request.store.undo(number, by: request.author, at: request.now)
            return APIAnswer(AnswerText.object { AnswerText.change(change, &$0) })
        },
        APIRoute(
            .delete, "/bin", .admin, "/history", "Delete for good what lies in the bin", answer: .ref("Emptied")
        ) { request in
            let count = try await request.store.emptyBin(by: request.author, at: request.now)
            return APIAnswer(AnswerText.object { $0.value("emptied", count) })
        },
    ]

    /// A slip of the pen must not look like a publication.
    private static func demandKnown(
        _ ids: [DocumentID], _ check: PublishCheck, _ store: CurationStore
    ) async throws {
        // The check has read the site and what has changed. What is left lies in the bin, or there is none.
        let others = Set(ids).subtracting(check.documents.keys).subtracting(check.pending.map(\.id))
        guard !others.isEmpty else { return }
        let found = try await store.documents(others)
        guard let id = ids.first(where: { others.contains($0) && found[$0] == nil }) else { return }
        throw Refusal(422, "there is no document \"\(id)\"; nothing is published", whatToDo: "list the documents")
    }

    private static func bounded(_ note: String?) throws(Refusal) -> String {
        guard let note, note.unicodeScalars.count > 2000 else { return note ?? "" }
        throw Refusal(422, "the note has more than 2000 characters", whatToDo: "shorten it")
    }

    private static func check(_ request: APIRequest) async throws -> APIAnswer {
        let found = try await request.services.checkOfAllDrafts().findings
        return APIAnswer(
            AnswerText.list("findings", found) { entry, json in
                json.value("document", entry.document.text)
                json.value("field", entry.field)
                json.value("level", entry.level.rawValue)
                json.value("code", entry.problem.code.rawValue)
                json.value("message", entry.problem.english)
            })
    }
}
