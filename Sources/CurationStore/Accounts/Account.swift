package import Curation

/// Somebody who may sign in.
package struct Account: Hashable, Sendable {
    /// 1 to 60 characters; unique without regard to the case of ASCII letters.
    package var name: String
    package var role: Role
    /// Of the interface; nil: the browser's.
    package var language: String?
    package var createdAt: Moment
    package var signedInAt: Moment?
    /// A disabled account keeps its name in the history, but cannot sign in.
    package var isEnabled: Bool
    /// False: nobody has chosen a password yet, so only its one-time link signs in.
    package var hasPassword: Bool

    package enum Role: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
        /// Sees everything, changes nothing.
        case viewer
        /// Edits and publishes.
        case editor
        /// Also accounts, tokens and the site's settings.
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

/// Somebody's signed-in browser.
package struct Session: Hashable, Sendable {
    package var account: Account
    /// What forms of this session carry, so that no other site can send them.
    package var csrf: String
    package var createdAt: Moment
    package var usedAt: Moment
    /// When it ends in any case.
    package var expiresAt: Moment
    /// From where it was begun.
    package var address: String
}

/// A session that has just begun, with the secret of its cookie, which is not kept.
package struct NewSession: Hashable, Sendable {
    package var secret: String
    package var session: Session
}
