import Text

/// Why a request is refused. A browser gets a page, a program JSON.
package struct Refusal: ExplainedError, Hashable, Sendable {
    /// The status (RFC 9110, section 15).
    package var status: Int
    package var place: String
    package var problem: String
    package var remedy: String
    /// Seconds after which to ask again, for 429 and 503.
    package var retryAfter: Int?

    package init(
        _ status: Int, _ problem: String, place: String = "", whatToDo remedy: String, retryAfter: Int? = nil
    ) {
        self.status = status
        self.place = place
        self.problem = problem
        self.remedy = remedy
        self.retryAfter = retryAfter
    }

    package static let notSignedIn = Refusal(
        401, "nobody is signed in", whatToDo: "sign in, or send a token as Authorization: Bearer TOKEN")

    package static func forbidden(_ role: Visitor.Role) -> Refusal {
        Refusal(
            403, "this needs the role \(role.rawValue)", whatToDo: "ask an administrator for it")
    }

    package static func notFound(_ path: String) -> Refusal {
        Refusal(404, "there is nothing at \(path)", whatToDo: "follow the links from the first page")
    }
}
