package import Curation

/// A person who may sign in.
package struct Account: Hashable, Sendable {
    /// 1 to 60 characters in the form NFC. No other account has a name that differs only in case or in what nobody
    /// sees.
    package var name: String
    package var role: Role
    /// The language of the interface; nil for the browser's language.
    package var language: String?
    package var createdAt: Moment
    package var signedInAt: Moment?
    /// A disabled account keeps its name in the history, but cannot sign in.
    package var isEnabled: Bool
    /// False if no password was chosen yet: then only a one-time link can sign in.
    package var hasPassword: Bool

    package enum Role: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
        /// May see everything and change nothing.
        case viewer
        /// May edit and publish.
        case editor
        /// May also change accounts, tokens and the site's settings.
        case administrator

        package static func < (left: Self, right: Self) -> Bool { left.level < right.level }

        private var level: Int {
            switch self {
            case .viewer: 0
            case .editor: 1
            case .administrator: 2
            }
        }
    }
}

/// A browser in which a person is signed in.
package struct Session: Hashable, Sendable {
    package var account: Account
    /// A secret in the forms of this session, so that no other site can send them.
    package var csrf: String
    package var createdAt: Moment
    package var usedAt: Moment
    /// When the session ends at the latest.
    package var expiresAt: Moment
    /// The address from which the session was started.
    package var address: String
}

/// A new session with the secret of its cookie. The secret is not stored.
package struct NewSession: Hashable, Sendable {
    package var secret: String
    package var session: Session
}
