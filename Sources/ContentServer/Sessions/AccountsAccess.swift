package import Curation

/// What the server asks about accounts and sessions. The store answers.
package protocol AccountsAccess: Sendable {
    /// Who has this session; nil if it does not exist or has expired.
    func visitor(session token: String, at: Moment) async -> Visitor?
    /// Signs in and makes a session; its token.
    ///
    /// - Throws: `Refusal`: 422 for a wrong name or password, 429 after too many attempts.
    func signIn(name: String, password: String, address: String, at: Moment) async throws(Refusal) -> String
    func signOut(session token: String, at: Moment) async
}
