/// One thing that the daemon can be asked, or told to do.
package struct ControlRoute: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        /// Changes something, and is therefore offered on the Unix socket only.
        case post = "POST"
    }

    package var method: Method
    /// As in the documentation: `/v1/explain/{uuid}/{major}/{minor}`.
    package var path: String
    /// What it gives, in one line.
    package var help: String
    /// It goes on until the client has enough: there are fewer places for such.
    package var isStream = false
    var answer: @Sendable (ControlRequest) async throws -> ControlAnswer

    /// - Parameter answer: throws `ControlFailure` for what it will not answer.
    package init(
        _ method: Method, _ path: String, _ help: String,
        _ answer: @escaping @Sendable (ControlRequest) async throws -> ControlAnswer
    ) {
        self.method = method
        self.path = path
        self.help = help
        self.answer = answer
    }
}
