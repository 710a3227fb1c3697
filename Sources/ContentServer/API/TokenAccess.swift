package import CurationStore
import HTTPTypes
import Hummingbird
import Serving

/// Who uses the API: a program with a token, or a page of this server with its session.
enum TokenAccess {
    /// Who asks, if they may do this now. Where a body is read, it is asked again afterwards.
    ///
    /// - Throws: `Refusal`: 401 without a valid token or session, 403 without the scope or the role.
    @discardableResult
    static func require(
        _ scope: APIToken.Scope, _ request: Request, _ context: CuratorContext, _ services: CuratorServices
    ) async throws -> Author {
        if let secret = request.bearerToken {
            guard let token = try await services.store.token(secret, at: services.now()) else {
                throw Refusal(
                    401, "the token is unknown or has expired", whatToDo: "make a new one on the page Tokens")
            }
            guard scope.isCovered(by: token.scopes) else {
                throw Refusal(
                    403, "the token does not have the scope \(scope.rawValue)",
                    whatToDo: "make one that has it on the page Tokens")
            }
            return Author(token.name, token: token.number)
        }
        guard let visitor = try await services.visitor(of: context) else {
            throw Refusal(
                401, "a token is needed",
                whatToDo: "send one as Authorization: Bearer TOKEN; make it on the page Tokens")
        }
        // Only devices report.
        guard scope != .report else { throw Refusal.notSignedIn }
        guard visitor.role >= scope.role else { throw Refusal.forbidden(scope.role) }
        return visitor.author
    }
}

extension APIToken.Scope {
    /// Whoever may change something may read it too.
    package func isCovered(by scopes: Set<Self>) -> Bool {
        if scopes.contains(self) { return true }
        switch self {
        case .read: return scopes.contains { [.edit, .publish, .admin].contains($0) }
        case .edit, .publish: return scopes.contains(.admin)
        case .admin, .report: return false
        }
    }

    /// The role that somebody who is signed in needs for the same.
    var role: Account.Role {
        switch self {
        case .read, .report: .viewer
        case .edit, .publish: .editor
        case .admin: .administrator
        }
    }
}
