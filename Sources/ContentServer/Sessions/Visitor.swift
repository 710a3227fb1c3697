/// Who sends a request.
package struct Visitor: Sendable {
    /// The name of the account.
    package var account: String
    package var role: Role
    /// Signed in by a token, which no browser sends by itself.
    package var isProgram: Bool

    package init(account: String, role: Role, isProgram: Bool = false) {
        self.account = account
        self.role = role
        self.isProgram = isProgram
    }

    package enum Role: String, Sendable, Comparable, CaseIterable {
        case viewer, editor, administrator

        package static func < (left: Self, right: Self) -> Bool {
            allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
        }
    }
}

extension CuratorContext {
    /// Who is signed in, with at least this role.
    ///
    /// - Throws: `Refusal`: pages lead to signing in, the API answers 401; 403 if the role does not suffice.
    @discardableResult
    package func signedIn(_ role: Visitor.Role = .viewer) throws(Refusal) -> Visitor {
        guard let visitor else { throw .notSignedIn }
        guard visitor.role >= role else { throw .forbidden(role) }
        return visitor
    }
}
