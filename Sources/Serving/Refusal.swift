package import Text

/// Why a request is refused. Sent as JSON, `{"error":"…","what_to_do":"…"}`, plus `"problems":["…"]` if there are
/// several problems, plus `"mistakes":[{"field","code","message"}]` if fields of the body are wrong.
package struct Refusal: ExplainedError, Hashable, Sendable {
    /// The status (RFC 9110, section 15).
    package var status: Int
    package var place = ""
    /// What is wrong.
    package var problem: String
    /// What the caller can do.
    package var remedy: String
    /// If several things are wrong: one line for each, with its place.
    package var problems: [String] = []
    /// For 422: what is wrong with each field.
    package var mistakes: [Mistake] = []
    /// For 405: the allowed methods.
    package var allow: [String] = []
    /// For 429 and 503: the seconds after which the client may ask again; nil if unknown.
    package var retryAfter: Int?

    package struct Mistake: Hashable, Sendable {
        /// The path in the document: `contents.left.action.value`.
        package var field: String
        /// The name of the problem, the same in all languages.
        package var code: String
        package var message: String

        package init(field: String, code: String, message: String) {
            self.field = field
            self.code = code
            self.message = message
        }
    }

    package init(_ status: Int, _ problem: String, whatToDo remedy: String, retryAfter: Int? = nil) {
        self.status = status
        self.problem = problem
        self.remedy = remedy
        self.retryAfter = retryAfter
    }

    /// An error for people, in the parts of the documented form.
    ///
    /// - Parameter remedy: what to do if the error does not say.
    package init(_ status: Int, _ error: some ExplainedError, remedy: String = "report this, with the program's log") {
        self.init(status, error.placedProblem, whatToDo: error.remedy.isEmpty ? remedy : error.remedy)
    }

    /// The refusal as JSON, in the documented form.
    package var json: String {
        var json = JSONText()
        json.object { json in
            json.value("error", placedProblem)
            json.value("what_to_do", remedy)
            if !problems.isEmpty {
                json.array("problems") { json in
                    for problem in problems { json.value(nil, problem) }
                }
            }
            if !mistakes.isEmpty {
                json.array("mistakes") { json in
                    for mistake in mistakes {
                        json.object { json in
                            json.value("field", mistake.field)
                            json.value("code", mistake.code)
                            json.value("message", mistake.message)
                        }
                    }
                }
            }
        }
        return json.text
    }
}
