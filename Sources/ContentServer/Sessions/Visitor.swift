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

    /// In the history.
    package var author: Author { Author(account) }
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
