import CurationStore

/// What is around every page: its language, who is signed in, the navigation.
///
/// Templates have it as `frame`: `language`, `languages` (`tag`, `name`, `isCurrent`), `theme`, `csrf`, `path`,
/// `siteTitle`, `account` (`name`, `role`, `isEditor`, `isAdministrator`), `groups` and `bar` (`Navigation`), `toast`
/// (`text`, `undo`).
enum PageFrame {
    static func values(_ context: CuratorContext, _ services: CuratorServices) async -> PageValue {
        let texts = services.texts(context)
        let facts = await services.currentFrameFacts()
        var values: [String: PageValue] = [
            "language": .text(context.language), "csrf": .text(context.csrf), "theme": .text(context.theme),
            "path": .text(context.path),
            "siteTitle": .text(facts.title.isEmpty ? texts.text("frame.app") : facts.title),
            "languages": .list(
                Catalogues.tags.map { tag in
                    [
                        "tag": .text(tag), "name": .text(services.languages[tag].text("language.name")),
                        "isCurrent": .flag(tag == context.language),
                    ]
                }),
            "toast": toast(context, texts),
        ]
        if let visitor = context.visitor {
            values["account"] = [
                "name": .text(visitor.account), "role": .text(texts.text("role.\(visitor.role.rawValue)")),
                "isEditor": .flag(visitor.role >= .editor), "isAdministrator": .flag(visitor.role >= .administrator),
            ]
            let navigation = Navigation(role: visitor.role, path: context.path, pending: facts.pending)
            values["groups"] = navigation.groups(texts)
            values["bar"] = navigation.bar(texts)
        }
        return .map(values)
    }

    /// What the address of the next page has for `toast` if tokens were revoked, too.
    static func note(revoked: Int) -> String { revoked > 0 ? "&tokens=\(revoked)" : "" }

    /// What was done by the form that led here: `?done=NAME` names a text `done.NAME`, `undo=NUMBER` a change,
    /// `tokens=COUNT` how many tokens were revoked, too.
    private static func toast(_ context: CuratorContext, _ texts: Catalogue) -> PageValue {
        guard let done = context.query["done"], texts.has("done.\(done)") else { return .none }
        var text = texts.text("done.\(done)")
        if let count = context.query["tokens"].flatMap({ Int($0) }), (1...1000).contains(count) {
            text += ". " + texts.plural("done.tokens", count)
        }
        return [
            "text": .text(text),
            "undo": PageValue(context.query["undo"].flatMap { Int64($0) }),
        ]
    }
}
