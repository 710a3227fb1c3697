import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import Serving
import Text

/// What was published, which devices hold it, and the way back.
package struct RevisionRoutes: RouteGroup {
    static let rows = 30

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/revisions") { _, context in
            try context.signedIn()
            return try await Self.page(services, context)
        }
        router.post("/revisions/:number/roll-back") { _, context in
            let visitor = try context.signedIn(.editor)
            guard let number = context.parameters.get("number").flatMap({ Int64($0) }) else {
                throw Refusal.notFound(context.path)
            }
            do {
                try await services.publisher.rollBack(to: number, by: visitor.author)
            } catch let error as StoreError where [.notFound, .invalid].contains(error.code) {
                return try await Self.page(services, context, problem: services.texts(context).problem(error))
            }
            return services.redirect(to: "/revisions?done=rolled_back")
        }
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, problem: String = ""
    ) async throws -> Response {
        let texts = services.texts(context)
        let before = context.query["before"].flatMap { Int64($0) }
        let revisions = try await services.store.revisions(limit: rows + 1, before: before)
        let numbers = try await services.store.revisionNumbers()
        let devices = try await services.store.devices()
        let values: [String: PageValue] = [
            "any": .flag(!revisions.isEmpty), "problem": .text(problem),
            "ahead": texts.devicesAhead(numbers),
            "revisions": .list(
                revisions.prefix(rows).map { value($0, numbers, devices, at: services.now(), texts) }),
            "pager": [
                "newest": before == nil ? .none : .text("/revisions"),
                "older": revisions.count > rows ? .text("/revisions?before=\(revisions[rows - 1].number)") : .none,
            ],
        ]
        return try await services.page(
            "revisions", values, context, status: problem.isEmpty ? .ok : .unprocessableContent)
    }

    private static func value(
        _ revision: Revision, _ numbers: RevisionNumbers, _ devices: [Device], at now: Moment, _ texts: Catalogue
    ) -> PageValue {
        let current = numbers.current
        let held = devices.count {
            $0.report.revision == revision.number && $0.report.isComplete && $0.state(current, at: now) != .silent
        }
        return [
            "number": .text("\(revision.number)"), "title": .text(texts.text("revisions.number", "\(revision.number)")),
            "isCurrent": .flag(revision.number == current), "at": .moment(revision.at), "by": .text(revision.by),
            "note": .text(note(revision, texts)),
            "changed": .text(texts.plural("revisions.changed", revision.changed)),
            "held": devices.isEmpty
                ? .none : .text(texts.text("revisions.held.count", "\(held)", "\(devices.count)")),
            "canReturn": .flag(revision.number != current && revision.isKept),
            "question": .text(
                texts.text("revisions.roll_back.question", "\(revision.number)", "\(numbers.next)")),
        ]
    }

    private static func note(_ revision: Revision, _ texts: Catalogue) -> String {
        switch revision.kind {
        case .publication: return revision.note
        case .schedule: return texts.text("revisions.schedule")
        case .rollback:
            let of = revision.source.map { texts.text("revisions.of", "\($0)") } ?? ""
            return revision.note.isEmpty ? of : "\(of): \(revision.note)"
        }
    }
}
