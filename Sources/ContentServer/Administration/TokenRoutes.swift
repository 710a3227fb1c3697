import Beacon
import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import Serving

/// Tokens with which programs and devices sign in: for administrators.
package struct TokenRoutes: RouteGroup {
    /// How long tokens can be valid, in days.
    static let days = [30, 90, 365, 1825]

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/tokens") { _, context in
            try context.signedIn(.administrator)
            return try await Self.page(services, context)
        }
        router.post("/tokens") { _, context in
            let visitor = try context.signedIn(.administrator)
            let scopes = Set(context.form.all("scope").compactMap(APIToken.Scope.init(rawValue:)))
            let days = context.form["days"].flatMap { Int($0) }.flatMap { Self.days.contains($0) ? $0 : nil } ?? 365
            let now = services.now()
            do {
                let made = try await services.store.createToken(
                    context.form["name"] ?? "", scopes: scopes,
                    expiresAt: Moment(now.time.advanced(bySeconds: Double(days) * 86_400)), by: visitor.author, at: now)
                return try await Self.page(services, context, made: made)
            } catch let error as StoreError where [.invalid, .taken, .limit].contains(error.code) {
                let texts = services.texts(context)
                var mistakes = PageMistakes()
                if error.field == "scopes" {
                    mistakes.add("scope", texts.text("scope.needed"))
                } else {
                    mistakes.add("name", texts.problem(error))
                }
                return try await Self.page(services, context, scopes: scopes, days: days, mistakes: mistakes)
            }
        }
        router.post("/tokens/:number/revoke") { _, context in
            let visitor = try context.signedIn(.administrator)
            guard let number = context.parameters.get("number").flatMap({ Int64($0) }) else {
                throw Refusal.notFound(context.path)
            }
            let revoked = try await services.store.revokeToken(number, by: visitor.author)
            return services.redirect(to: "/tokens?done=revoked\(PageFrame.note(revoked: revoked))")
        }
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, made: NewToken? = nil,
        scopes: Set<APIToken.Scope> = [.report], days: Int = 365, mistakes: PageMistakes = PageMistakes()
    ) async throws -> Response {
        let texts = services.texts(context)
        let now = services.now()
        let tokens = try await services.store.tokens()
        let values: [String: PageValue] = [
            "made": made.map { ["secret": .text($0.secret), "name": .text($0.token.name)] } ?? .none,
            "tokens": .map(["any": .flag(!tokens.isEmpty), "list": .list(tokens.map { value($0, now, texts) })]),
            "name": .text(mistakes.isEmpty ? "" : context.form["name"] ?? ""),
            "scopes": .list(
                APIToken.Scope.allCases.map { scope in
                    [
                        "value": .text(scope.rawValue), "title": .text(texts.text("scope.\(scope.rawValue)")),
                        "isCurrent": .flag(scopes.contains(scope)),
                    ]
                }),
            "days": .list(
                Self.days.map { count in
                    [
                        "value": .text("\(count)"), "title": .text(texts.text("tokens.days.\(count)")),
                        "isCurrent": .flag(count == days),
                    ]
                }),
        ]
        return try await services.page(
            "tokens", mistakes.added(to: values), context, status: mistakes.isEmpty ? .ok : .unprocessableContent)
    }

    private static func value(_ token: APIToken, _ now: Moment, _ texts: Catalogue) -> PageValue {
        [
            "number": .text("\(token.number)"), "name": .text(token.name),
            "scopes": .text(token.scopes.map(\.rawValue).sorted().joined(separator: ", ")),
            "expires": .moment(token.expiresAt), "isExpired": .flag(token.expiresAt.map { $0 <= now } ?? false),
            "used": .moment(token.usedAt), "by": .text(token.createdBy),
            "question": .text(texts.text("tokens.revoke.question", token.name)),
        ]
    }
}
