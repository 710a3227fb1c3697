/// What went wrong with content: where, why, and what to do about it.
public struct ContentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure, for programs. An open set: more may come, so switches need a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A setting is unusable (base URL, directory, token).
        public static var settings: Self { Self(rawValue: "settings") }
        /// The server cannot be reached, or the connection broke off.
        public static var connection: Self { Self(rawValue: "connection") }
        /// The server took longer than a time-out allows.
        public static var timeout: Self { Self(rawValue: "timeout") }
        /// It comes so slowly that it is given up for now.
        public static var slow: Self { Self(rawValue: "slow") }
        /// The server answered 5xx or 429: it is overloaded or broken, and may recover.
        public static var unavailable: Self { Self(rawValue: "unavailable") }
        /// The server answered with a status that trying again does not change (401, 403, 404 for an asset…).
        public static var refused: Self { Self(rawValue: "refused") }
        /// A redirect leads to another host, in circles, or away from TLS.
        public static var redirect: Self { Self(rawValue: "redirect") }
        /// A manifest or the site list is not what the format says.
        public static var format: Self { Self(rawValue: "format") }
        /// Bytes do not have the SHA-256 that was promised for them.
        public static var hash: Self { Self(rawValue: "hash") }
        /// More bytes or images than allowed or promised.
        public static var tooLarge: Self { Self(rawValue: "too-large") }
        /// The site list has a lower revision than the one already known.
        public static var rollback: Self { Self(rawValue: "rollback") }
        /// The site list has the revision of another one, or one that is too far ahead.
        public static var revision: Self { Self(rawValue: "revision") }
        /// The site list is not there, though there was one.
        public static var noList: Self { Self(rawValue: "no-list") }
        /// The site list would remove so much that it is looked at once more.
        public static var removals: Self { Self(rawValue: "removals") }
        /// The site list is not signed, or not by a key that is configured.
        public static var signature: Self { Self(rawValue: "signature") }
        /// The content does not fit into the store's quota.
        public static var quota: Self { Self(rawValue: "quota") }
        /// Reading or writing the store failed.
        public static var storage: Self { Self(rawValue: "storage") }
        /// No space is left for the store.
        public static var diskFull: Self { Self(rawValue: "disk-full") }
        /// Another process holds the store for writing.
        public static var locked: Self { Self(rawValue: "locked") }
        /// The work was given up because the sync client shuts down.
        public static var cancelled: Self { Self(rawValue: "cancelled") }
    }

    /// The kind of the failure.
    public var code: Code
    /// Where: a URL, a file, or a place in a document such as `images[3].asset.sha256`.
    public var place: String
    /// What is wrong there.
    public var cause: String
    /// What the reader of the message can do.
    public var remedy: String
    /// How long the server asked to be left alone (RFC 9110, 10.2.3), if it did.
    public var retryAfter: Duration?

    public init(code: Code, place: String, cause: String, remedy: String, retryAfter: Duration? = nil) {
        self.code = code
        self.place = place
        self.cause = cause
        self.remedy = remedy
        self.retryAfter = retryAfter
    }

    /// One line: place, cause, remedy.
    public var description: String {
        "\(place): \(cause); \(remedy)"
    }

    /// Whether the same request may well succeed a little later.
    public var isTransient: Bool { code.isTransient }
}

extension ContentError.Code {
    var isTransient: Bool {
        self == .connection || self == .timeout || self == .unavailable || self == .slow
    }
}
