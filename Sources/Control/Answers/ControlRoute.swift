import HTTPTypes
package import Serving

/// One request that the daemon answers.
package struct ControlRoute: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        /// Changes something. Therefore it is only available on the Unix socket.
        case post = "POST"

        var http: HTTPRequest.Method {
            switch self {
            case .get: .get
            case .post: .post
            }
        }
    }

    package var method: Method
    /// As in the documentation: `/v1/explain/{uuid}/{major}/{minor}`.
    package var path: String
    /// What the route returns, in one line.
    package var help: String
    /// The response is a stream that only the client ends. Streams have a lower limit.
    package var isStream = false
    /// The parameters of the query, for the description of the API.
    package var parameters: [APIOperation.Parameter] = []
    /// The possible answers except refusals.
    package var answers: [APIOperation.Answer] = []
    var answer: @Sendable (ControlRequest) async throws -> ControlAnswer

    /// - Parameter answer: throws `Refusal` to refuse a request.
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
