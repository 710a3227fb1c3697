package import Curation

/// What a program signs in with.
package struct APIToken: Hashable, Sendable {
    package var number: Int64
    /// What it is for, in the words of who made it.
    package var name: String
    package var scopes: Set<Scope>
    package var createdBy: String
    package var createdAt: Moment
    /// Nil: it does not expire.
    package var expiresAt: Moment?
    package var usedAt: Moment?

    package enum Scope: String, Hashable, Sendable, Codable, CaseIterable {
        case read, edit, publish, admin
        /// Only reports of devices.
        case report
    }
}

/// A token that was just made, with its secret, which is not kept.
package struct NewToken: Hashable, Sendable {
    package var secret: String
    package var token: APIToken
}
