package import Curation

/// A token with which a program signs in.
package struct APIToken: Hashable, Sendable {
    package var number: Int64
    /// The purpose of the token, in the words of the person who created it.
    package var name: String
    package var scopes: Set<Scope>
    package var createdBy: String
    package var createdAt: Moment
    /// Nil if the token does not expire.
    package var expiresAt: Moment?
    package var usedAt: Moment?

    package enum Scope: String, Hashable, Sendable, Codable, CaseIterable {
        case read, edit, publish, admin
        /// Only sending reports of devices.
        case report
    }
}

/// A new token with its secret. The secret is not stored.
package struct NewToken: Hashable, Sendable {
    package var secret: String
    package var token: APIToken
}
