import Text

/// Why a request to the daemon has failed.
package struct ControlClientError: UsageError {
    package enum Code: Hashable, Sendable {
        /// The daemon refuses the request.
        case refused
        /// The daemon cannot be reached, or the connection to it broke off.
        case connectionLost
        /// The answer is too large, or not a document of this version.
        case notUnderstood
    }

    package var code: Code
    package var place: String
    package var problem: String
    package var remedy: String
    /// One line for each mistake, with its place, if the daemon found several.
    package var problems: [String] = []
    /// The daemon says that the request itself is wrong (status 400).
    package var isWrongUsage = false

    init(_ code: Code, at place: String = "", _ problem: String, remedy: String = "", problems: [String] = []) {
        self.code = code
        self.place = place
        self.problem = problem
        self.remedy = remedy
        self.problems = problems
    }

    package var description: String { ([explanation] + problems).joined(separator: "\n") }
}
