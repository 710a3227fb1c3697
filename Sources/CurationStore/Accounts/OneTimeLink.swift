package import Curation

/// A link that can be used once, to choose a password.
package struct OneTimeLink: Hashable, Sendable {
    package var kind: Kind
    /// For `password`: the owner's account. Nil otherwise, because the name is chosen on the page.
    package var account: String?
    /// The role of the account that it creates.
    package var role: Account.Role?
    package var createdBy: String
    package var expiresAt: Moment

    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Creates the first administrator of a new server.
        case first
        /// Creates a new account.
        case invitation
        /// Sets a new password for an account.
        case password
    }
}

/// A link that was not used yet.
package struct OpenLink: Hashable, Sendable {
    /// Identifies the link for `withdrawLink`. It cannot be used to open the link.
    package var key: String
    package var link: OneTimeLink
}
