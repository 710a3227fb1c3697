public import HCI

/// What went wrong between this program and a controller. The description says what, where and what to do.
public struct RadioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The source's specification cannot be read.
        public static let badSource = Code(rawValue: "bad source")
        /// No connection could be made.
        public static let cannotOpen = Code(rawValue: "cannot open")
        /// A right is missing.
        public static let notPermitted = Code(rawValue: "not permitted")
        /// The other side ended the connection.
        public static let disconnected = Code(rawValue: "disconnected")
        /// A command was not answered in time.
        public static let timedOut = Code(rawValue: "timed out")
        /// A command was answered with an error.
        public static let refused = Code(rawValue: "refused")
        /// Nothing is heard, and nothing helped.
        public static let silent = Code(rawValue: "silent")
        /// The connection was closed on this side.
        public static let closed = Code(rawValue: "closed")
    }

    public var code: Code
    /// Which adapter, host or file.
    public var place: String
    /// What happened, as a clause.
    public var problem: String
    /// What the user can do; empty where nothing can be said.
    public var remedy: String
    /// The controller's answer, where there was one.
    public var status: ErrorCode?

    public init(_ code: Code, at place: String, _ problem: String, remedy: String = "", status: ErrorCode? = nil) {
        self.code = code
        self.place = place
        self.problem = problem
        self.remedy = remedy
        self.status = status
    }

    public var description: String {
        "\(place): \(problem)" + (remedy.isEmpty ? "" : "; \(remedy)")
    }
}
