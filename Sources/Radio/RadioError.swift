package import HCI
import Text

/// What went wrong between this program and a controller. The description says what, where and what to do.
package struct RadioError: ExplainedError, Hashable, Sendable {
    /// The kind of failure. An open set.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The source's specification cannot be read.
        package static let badSource = Code(rawValue: "bad source")
        /// No connection could be made.
        package static let cannotOpen = Code(rawValue: "cannot open")
        /// A capability or permission is missing.
        package static let notPermitted = Code(rawValue: "not permitted")
        /// The other side ended the connection.
        package static let disconnected = Code(rawValue: "disconnected")
        /// A command was not answered in time.
        package static let timedOut = Code(rawValue: "timed out")
        /// A command was answered with an error.
        package static let refused = Code(rawValue: "refused")
        /// Nothing is received, and no recovery step helped.
        package static let silent = Code(rawValue: "silent")
        /// The connection was closed on this side.
        package static let closed = Code(rawValue: "closed")
    }

    package var code: Code
    /// Which adapter, host or file.
    package var place: String
    /// What happened, as a clause.
    package var problem: String
    /// What the user can do; empty if unknown.
    package var remedy: String
    /// The controller's error code, if it answered.
    package var status: ErrorCode?

    package init(_ code: Code, at place: String, _ problem: String, remedy: String = "", status: ErrorCode? = nil) {
        self.code = code
        self.place = place
        self.problem = problem
        self.remedy = remedy
        self.status = status
    }
}
