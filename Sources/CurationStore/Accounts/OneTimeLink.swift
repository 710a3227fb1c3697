package import Curation

/// A link that opens once a page in which somebody chooses a password.
package struct OneTimeLink: Hashable, Sendable {
    package var kind: Kind
    /// With `password`: whose. Nil otherwise: the name is chosen in the page.
    package var account: String?
    /// Of the account that it makes.
    package var role: Account.Role?
    package var createdBy: String
    package var expiresAt: Moment

    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The first administrator of a new server.
        case first
        /// A new account.
        case invitation
        /// A new password for an account.
        case password
    }
}

/// A link that nobody has used yet.
package struct OpenLink: Hashable, Sendable {
    /// Names it for `withdrawLink`, and opens nothing.
    package var key: String
    package var link: OneTimeLink
}
