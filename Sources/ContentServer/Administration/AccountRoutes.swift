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
            try context.signedIn(.administrator)
            let name = context.form["name"] ?? ""
            let role = Account.Role(rawValue: context.form["role"] ?? "") ?? .viewer
            do {
                try await services.store.createAccount(name, role: role, password: nil, at: services.now())
                return try await Self.linked(name, services, context)
            } catch let error as StoreError where [.taken, .invalid].contains(error.code) {
                var mistakes = PageMistakes()
                mistakes.add("name", services.texts(context).problem(error))
                return try await Self.page(services, context, name: name, role: role, mistakes: mistakes)
            }
        }
        router.post("/accounts/role") { _, context in
            try context.signedIn(.administrator)
            guard let role = Account.Role(rawValue: context.form["role"] ?? "") else {
                throw Refusal(422, "this role does not exist", whatToDo: "choose one of the list")
            }
            return try await Self.changed(services, context) { name in
                try await services.store.updateAccount(name, role: role)
            }
        }
        router.post("/accounts/remove") { _, context in
            try context.signedIn(.administrator)
            return try await Self.changed(services, context, done: "removed") { name in
                try await services.store.removeAccount(name)
            }
        }
        router.post("/accounts/link") { _, context in
            try context.signedIn(.administrator)
            return try await Self.linked(context.form["name"] ?? "", services, context)
        }
    }

    /// Changes another account; the last administrator stays, and says why.
    private static func changed(
        _ services: CuratorServices, _ context: CuratorContext, done: String = "saved",
        _ change: (String) async throws -> Void
    ) async throws -> Response {
        do {
            try await change(context.form["name"] ?? "")
            return services.redirect(to: "/accounts?done=\(done)")
        } catch let error as StoreError where error.code == .denied {
            return try await page(services, context, problem: services.texts(context).problem(error))
        }
    }

    /// The page with a new one-time link, which is shown only now.
    private static func linked(
        _ name: String, _ services: CuratorServices, _ context: CuratorContext
    ) async throws -> Response {
        let account = try await services.store.account(name)
        let secret = try await services.store.createLink(
            for: name, purpose: account.hasPassword ? .password : .invitation, at: services.now())
        return try await page(services, context, link: (name, "\(services.settings.address)/link/\(secret)"))
    }

    private static func page(
        _ services: CuratorServices, _ context: CuratorContext, name: String = "", role: Account.Role = .editor,
        mistakes: PageMistakes = PageMistakes(), problem: String = "", link: (name: String, address: String)? = nil
    ) async throws -> Response {
        let texts = services.texts(context)
        let accounts = try await services.store.accounts()
        let values: [String: PageValue] = [
            "accounts": .list(accounts.map { value($0, isMe: $0.name == context.visitor?.account, texts) }),
            "new": ["name": .text(name), "roles": roles(role, texts)],
            "problem": .text(problem),
            "link": link.map {
                ["words": .text(texts.text("accounts.link.made", $0.name)), "address": .text($0.address)]
            } ?? .none,
        ]
        let isRefused = !mistakes.isEmpty || !problem.isEmpty
        return try await services.page(
            "accounts", mistakes.added(to: values), context, status: isRefused ? .unprocessableContent : .ok)
    }

    private static func value(_ account: Account, isMe: Bool, _ texts: Catalogue) -> PageValue {
        [
            "name": .text(account.name), "role": .text(texts.text("role.\(account.role.rawValue)")),
            "isMe": .flag(isMe), "signedIn": .moment(account.signedInAt), "hasPassword": .flag(account.hasPassword),
            "roles": roles(account.role, texts),
            "question": .text(texts.text("accounts.remove.question", account.name)),
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
