import Curation
import CurationStore
import Publishing

/// What importing a table would change, in words, or what is wrong in which line.
struct TablePlanView {
    let value: PageValue

    static let mostRows = 200

    init(_ plan: TablePlan, name: String, _ services: CuratorServices, _ texts: Catalogue) async throws {
        let languages = try await services.siteLanguages()
        let words = try await ChangeWords(services, texts)
        var changes: [PageValue] = []
        for change in plan.changes.prefix(Self.mostRows) {
            changes.append([
                "line": .text(texts.text("exchange.line", "\(change.line)")),
                "name": .text(texts.name(of: change.after, languages)),
                "isNew": .flag(change.before == nil),
                "words": try await words.words(between: change.before, and: change.after),
            ])
        }
        value = [
            "table": .text(name), "isRight": .flag(!name.isEmpty), "changes": .list(changes),
            "moreChanges": texts.notShown(plan.changes.count - changes.count),
            "moreMistakes": texts.notShown(plan.mistakes.count - Self.mostRows),
            "isEmpty": .flag(plan.mistakes.isEmpty && plan.changes.isEmpty),
            "count": .text(texts.plural("exchange.changes", plan.changes.count)),
            "mistakes": .list(
                plan.mistakes.prefix(Self.mostRows).map { mistake in
                    [
                        "line": .text(texts.text("exchange.line", "\(mistake.line)")), "column": .text(mistake.column),
                        "message": .text(texts.text(mistake.problem)),
                    ]
                }),
        ]
    }
}
