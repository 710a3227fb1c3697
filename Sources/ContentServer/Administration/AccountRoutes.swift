import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import Serving

/// Who may sign in: for administrators.
package struct AccountRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/accounts") { _, context in
            try context.signedIn(.administrator)
            return try await Self.page(services, context)
        }
        router.post("/accounts") { _, context in
            let visitor = try context.signedIn(.administrator)
            let role = Account.Role(rawValue: context.form["role"] ?? "") ?? .viewer
            let secret = try await services.store.invite(role, by: visitor.author, at: services.now())
            let texts = services.texts(context)
            let words = texts.text("accounts.invitation.made", texts.text("role.\(role.rawValue)"))
            let link = (words: words, label: texts.text("accounts.invite.link"), secret: secret)
            return try await Self.page(services, context, role: role, link: link)
        }
        router.post("/accounts/role") { _, context in
            let visitor = try context.signedIn(.administrator)
            guard let role = Account.Role(rawValue: context.form["role"] ?? "") else {
                throw Refusal(422, "this role does not exist", whatToDo: "choose one of the list")
            }
            return try await Self.changed(services, context) { name in
                try await services.store.updateAccount(name, role: role, by: visitor.author)
            }
        }
        router.post("/accounts/remove") { _, context in
            let visitor = try context.signedIn(.administrator)
            return try await Self.changed(services, context, done: "removed") { name in
                try await services.store.removeAccount(name, by: visitor.author)
            }
        }
        router.post("/accounts/withdraw") { _, context in
            let visitor = try context.signedIn(.administrator)
            do throws(StoreError) {
                try await services.store.withdrawLink(context.form["link"] ?? "", by: visitor.author)
                return services.redirect(to: "/accounts?done=withdrawn")
            } catch {
                guard error.code == .notFound else { throw error }
                // It may have made an account meanwhile, which stands on the page.
                let words = services.texts(context).text("accounts.open.gone")
                return try await Self.page(services, context, problem: words)
            }
        }
        router.post("/accounts/link") { _, context in
            let visitor = try context.signedIn(.administrator)
            let name = context.form["name"] ?? ""
            let secret = try await services.store.passwordLink(for: name, by: visitor.author, at: services.now())
            let texts = services.texts(context)
            let words = texts.text("accounts.link.made", name)
            let link = (words: words, label: texts.text("accounts.link"), secret: secret)
            return try await Self.page(services, context, link: link)
        }
    }

    /// Changes another account; the last administrator stays, and says why.
    ///
    /// - Parameter change: returns how many tokens were revoked.
    private static func changed(
        _ services: CuratorServices, _ context: CuratorContext, done: String = "saved",
        _ change: (String) async throws -> Int
    ) async throws -> Response {
        do {
            let name = try await services.store.account(context.form["name"] ?? "").name
            let revoked = try await change(name)
            await services.endPreview(of: name)
            return services.redirect(to: "/accounts?done=\(done)\(PageFrame.note(revoked: revoked))")
        } catch let error as StoreError where error.code == .denied {
            let words = services.texts(context).text("accounts.last_administrator")
            return try await page(services, context, problem: words)
        }
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, role: Account.Role = .editor, problem: String = "",
        link: (words: String, label: String, secret: String)? = nil
    ) async throws -> Response {
        let texts = services.texts(context)
        let accounts = try await services.store.accounts()
        let open = try await services.store.openLinks(at: services.now())
        let values: [String: PageValue] = [
            "accounts": .list(accounts.map { value($0, isMe: $0.name == context.visitor?.account, texts) }),
            "new": ["roles": roles(role, texts)],
            "open": ["any": .flag(!open.isEmpty), "list": .list(open.map { value($0, texts) })],
            "problem": .text(problem),
            // The link is shown only now: the store keeps its hash.
            "link": link.map {
                [
                    "words": .text($0.words), "label": .text($0.label),
                    "address": .text("\(services.settings.address)/link/\($0.secret)"),
                ]
            } ?? .none,
        ]
        return try await services.page(
            "accounts", values, context, status: problem.isEmpty ? .ok : .unprocessableContent)
    }

    private static func value(_ account: Account, isMe: Bool, _ texts: Catalogue) -> PageValue {
        [
            "name": .text(account.name), "role": .text(texts.text("role.\(account.role.rawValue)")),
            "isMe": .flag(isMe), "signedIn": .moment(account.signedInAt), "hasPassword": .flag(account.hasPassword),
            "roles": roles(account.role, texts),
            "question": .text(texts.text("accounts.remove.question", account.name)),
        ]
    }

    private static func value(_ open: OpenLink, _ texts: Catalogue) -> PageValue {
        let role = open.link.role.map { texts.text("role.\($0.rawValue)") }
        return [
            "key": .text(open.key),
            "what": .text(texts.text("accounts.open.\(open.link.kind.rawValue)", open.link.account ?? role ?? "")),
            "by": .text(open.link.createdBy), "until": .moment(open.link.expiresAt),
        ]
    }

    private static func roles(_ current: Account.Role, _ texts: Catalogue) -> PageValue {
        .list(
            Account.Role.allCases.map { role in
                [
                    "value": .text(role.rawValue), "title": .text(texts.text("role.\(role.rawValue)")),
                    "hint": .text(texts.text("role.\(role.rawValue).hint")), "isCurrent": .flag(role == current),
                ]
            })
    }
}
