import Console
package import Text

/// A refusal as a page for people.
package typealias RefusalPage = @Sendable (ControlFailure) -> ControlAnswer

/// Why a request is refused. Sent as JSON, `{"error":"…","what_to_do":"…"}`, plus `"problems":["…"]` if there are
/// several problems.
package struct ControlFailure: ExplainedError, Hashable, Sendable {
    /// The status (RFC 9110, section 15).
    package var status: Int
    /// What is wrong.
    package var problem: String
    /// What the caller can do.
    package var remedy: String
    /// If several things are wrong: one line for each, with its place.
    package var problems: [String] = []
    /// For 405: the allowed methods.
    var allow: [String] = []
    /// For 503: the seconds after which to ask again; nil if unknown.
    package var retryAfter: Int?

    package init(_ status: Int, _ problem: String, whatToDo remedy: String, retryAfter: Int? = nil) {
        self.status = status
        self.problem = problem
        self.remedy = remedy
        self.retryAfter = retryAfter
    }

    /// An error that people read, in the parts of the documented form.
    ///
    /// - Parameter remedy: what to do where the error does not say.
    package init(_ status: Int, _ error: some ExplainedError, remedy: String = "report this, with the daemon's log") {
        self.init(status, error.placedProblem, whatToDo: error.remedy.isEmpty ? remedy : error.remedy)
    }

    /// A 404 failure with the text of a query that found nothing.
    package init(notFound failure: BeaconQuery.Failure) {
        self.init(404, failure.problem, whatToDo: failure.remedy.isEmpty ? "name it exactly" : failure.remedy)
    }

    /// The failure as JSON, in the documented form.
    package var json: String {
        var json = JSONText()
        json.object { json in
            json.value("error", problem)
            json.value("what_to_do", remedy)
            if !problems.isEmpty {
                json.array("problems") { json in
                    for problem in problems { json.value(nil, problem) }
                }
            }
        }
        return json.text
    }
}
