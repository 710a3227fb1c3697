package import CurationStore
package import Serving

/// Who sends a request.
package struct Visitor: Sendable {
    /// The name of the account.
    package var account: String
    package var role: Account.Role
    /// What forms of this session carry.
    package var csrf: String

    package init(account: String, role: Account.Role, csrf: String) {
        self.account = account
        self.role = role
        self.csrf = csrf
    }

    init(_ session: Session) {
        self.init(account: session.account.name, role: session.account.role, csrf: session.csrf)
    }

    /// In the history.
    package var author: Author { Author(account) }
}

extension CuratorServices {
    /// Who is signed in now, for a request that was let in a while ago: a body comes as slowly as its sender wants, and
    /// the session or the role may have ended meanwhile.
    func visitor(of context: CuratorContext) async throws(StoreError) -> Visitor? {
        guard let token = context.session else { return nil }
        return try await store.session(token, at: now()).map { Visitor($0) }
    }
}

extension CuratorContext {
    /// Who is signed in, with at least this role.
    ///
    /// - Throws: pages lead to signing in; 403 if the role does not suffice.
    @discardableResult
    package func signedIn(_ role: Account.Role = .viewer) throws(Refusal) -> Visitor {
        guard let visitor else { throw .notSignedIn }
        guard visitor.role >= role else { throw .forbidden(role) }
        return visitor
    }
}
