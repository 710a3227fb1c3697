import Text

/// An error about content: where it is, its cause, and what to do.
package struct ContentError: ExplainedError, Hashable, Sendable {
    /// The kind of failure, for programs. The set is open: more may be added, so a switch needs a default.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A setting cannot be used (base URL, directory, token).
        package static var settings: Self { Self(rawValue: "settings") }
        /// The server cannot be reached, or the connection was closed early.
        package static var connection: Self { Self(rawValue: "connection") }
        /// The server took longer than a time-out allows.
        package static var timeout: Self { Self(rawValue: "timeout") }
        /// The data arrives so slowly that the transfer was stopped for now.
        package static var slow: Self { Self(rawValue: "slow") }
        /// The server answered 5xx or 429: it is overloaded or has an error, and may recover.
        package static var unavailable: Self { Self(rawValue: "unavailable") }
        /// The server answered with a status that another attempt does not change (401, 403, 404 for an asset…).
        package static var refused: Self { Self(rawValue: "refused") }
        /// A redirect leads to another host, is one of too many, or leads from TLS to plain HTTP.
        package static var redirect: Self { Self(rawValue: "redirect") }
        /// A manifest or the site list is not in the right format.
        package static var format: Self { Self(rawValue: "format") }
        /// The bytes do not have the promised SHA-256.
        package static var hash: Self { Self(rawValue: "hash") }
        /// There are more bytes or images than allowed or promised.
        package static var tooLarge: Self { Self(rawValue: "too-large") }
        /// The site list has a lower revision than the known one.
        package static var rollback: Self { Self(rawValue: "rollback") }
        /// The site list has the revision of another list, or one that is too far ahead.
        package static var revision: Self { Self(rawValue: "revision") }
        /// The site list is missing, although there was one before.
        package static var noList: Self { Self(rawValue: "no-list") }
        /// The site list would remove so much that it is checked again later.
        package static var removals: Self { Self(rawValue: "removals") }
        /// The site list is not signed, or not with a configured key.
        package static var signature: Self { Self(rawValue: "signature") }
        /// The content does not fit into the store's quota.
        package static var quota: Self { Self(rawValue: "quota") }
        /// Reading or writing the store failed.
        package static var storage: Self { Self(rawValue: "storage") }
        /// No space is left for the store.
        package static var diskFull: Self { Self(rawValue: "disk-full") }
        /// Another process holds the store for writing.
        package static var locked: Self { Self(rawValue: "locked") }
        /// The work was stopped because the sync client shuts down.
        package static var cancelled: Self { Self(rawValue: "cancelled") }
    }

    /// The kind of the failure.
    package var code: Code
    /// The place: a URL, a file, or a position in a document such as `images[3].asset.sha256`.
    package var place: String
    /// What is wrong.
    package var cause: String
    /// What the reader of the message can do.
    package var remedy: String
    /// How long the server asked clients to wait (RFC 9110, 10.2.3); nil if it did not.
    package var retryAfter: Duration?

    package init(code: Code, place: String, cause: String, remedy: String, retryAfter: Duration? = nil) {
        self.code = code
        self.place = place
        self.cause = cause
        self.remedy = remedy
        self.retryAfter = retryAfter
    }

    package var problem: String { cause }

    /// Whether the same request may succeed a little later.
    package var isTransient: Bool { code.isTransient }
}

extension ContentError.Code {
    package var isTransient: Bool {
        self == .connection || self == .timeout || self == .unavailable || self == .slow
    }
}
