package import CurationStore
import Media
package import Serving

extension Refusal {
    package static let notSignedIn = Refusal(
        401, "nobody is signed in", whatToDo: "sign in, or send a token as Authorization: Bearer TOKEN")

    package static func forbidden(_ role: Account.Role) -> Refusal {
        Refusal(403, "this needs the role \(role.rawValue)", whatToDo: "ask an administrator for it")
    }

    package static func notFound(_ path: String) -> Refusal {
        Refusal(
            404, "there is nothing at \(path)",
            whatToDo: path.hasPrefix("/api/") ? "see /api for what there is" : "follow the links from the first page")
    }

    /// Why the media library refused a file.
    init(_ error: MediaError) {
        let status =
            switch error.code {
            case .notFound: 404
            case .tooLarge: 413
            case .busy, .tooSlow: 503
            case .full: 507
            case .helperMissing, .libraryMissing, .system: 500
            default: 422
            }
        self.init(status, error, remedy: "send another file")
        if status == 422 { mistakes = [Mistake(field: "file", code: error.code.rawValue, message: error.problem)] }
        if status == 503 { retryAfter = 5 }
    }

    /// What the store refused, with the status that says so.
    init(_ error: StoreError) {
        let status =
            switch error.code {
            case .notFound: 404
            case .conflict: 409
            case .taken, .invalid, .limit: 422
            case .denied: 403
            case .tooOften: 429
            case .busy: 503
            case .full: 507
            default: 500
            }
        self.init(status, error, remedy: "try again, or look at the server's log")
        retryAfter = error.retryAfter ?? (status == 503 ? 1 : nil)
        if let field = error.field {
            mistakes = [Mistake(field: field, code: error.code.rawValue, message: error.problem)]
        }
    }
}
