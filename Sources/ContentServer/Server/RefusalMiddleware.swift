import CurationStore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import Media
import Serving
import Text

/// Answers errors: with a page for people, with JSON for programs.
struct RefusalMiddleware: RouterMiddleware {
    typealias Context = CuratorContext

    private let services: CuratorServices
    private let paths: RouterPaths

    init(_ services: CuratorServices, _ paths: RouterPaths) {
        self.services = services
        self.paths = paths
    }

    func handle(
        _ request: Request, context: CuratorContext, next: (Request, CuratorContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as Refusal {
            return await answer(refusal, request, context)
        } catch let error as StoreError {
            // A client that leaves interrupts what is read for it.
            let refusal = error.code == .interrupted ? Refusal(error) : Refusal(error).logged(request, context)
            return await answer(refusal, request, context, words: services.texts(context).words(error))
        } catch let error as MediaError {
            return await answer(
                Refusal(error).logged(request, context), request, context, words: services.texts(context).words(error))
        } catch let error as HTTPError where error.status.code < 500 {
            let other = error.status == .notFound ? paths.refusal(of: request.method, at: context.path) : nil
            return await answer(other ?? Self.refusal(of: error, at: context.path), request, context)
        } catch let error as any ExplainedError {
            return await answer(
                Refusal(500, error).logged(request, context), request, context,
                words: services.texts(context).words(error))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.logger.error("\(request.method) \(context.path): \(error)")
            return await answer(
                Refusal(500, "something failed that should not", whatToDo: "report this, with the server's log"),
                request, context)
        }
    }

    /// - Parameter words: what is wrong, in the reader's language; nil if only its status has words.
    private func answer(
        _ refusal: Refusal, _ request: Request, _ context: CuratorContext, words: String? = nil
    ) async -> Response {
        var response: Response
        if context.path.hasPrefix("/api/") || context.path.hasPrefix("/v1/") {
            response = refusal.response(realm: CuratorRouter.realm)
        } else if refusal == .notSignedIn, request.method == .get || request.method == .head {
            let query = request.uri.query.map { "?" + $0 } ?? ""
            let next = LocalPath.checked(context.path + query)
            response = services.redirect(to: "/sign-in?next=" + QueryText.encoded(next))
        } else {
            let texts = services.texts(context)
            let isEnglish = texts.language == "en"
            let values: [String: PageValue] = [
                "status": .text("\(refusal.status)"), "title": .text(Self.title(refusal, texts)),
                "problem": .text(words ?? (isEnglish ? refusal.placedProblem : texts.words(ofStatus: refusal.status))),
                "remedy": isEnglish && words == nil ? .text(refusal.remedy) : .none,
                // For whoever is asked for help.
                "english": isEnglish || words != nil ? .none : .text("\(refusal.placedProblem): \(refusal.remedy)"),
            ]
            let page = try? await services.page("refusal", values, context, status: .init(code: refusal.status))
            response = page ?? refusal.response(realm: CuratorRouter.realm)
        }
        if !refusal.allow.isEmpty { response.headers[.allow] = refusal.allow.joined(separator: ", ") }
        if let seconds = refusal.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    /// The router's own refusals.
    static func refusal(of error: HTTPError, at path: String) -> Refusal {
        switch error.status {
        case .notFound: .notFound(path)
        case .methodNotAllowed: Refusal(405, "\(path) does not take this method", whatToDo: "use another")
        case .contentTooLarge: Refusal(413, "the request is too large", whatToDo: "send less")
        default: Refusal(error.status.code, error.body ?? "the request is refused", whatToDo: "correct it")
        }
    }

    private static func title(_ refusal: Refusal, _ texts: Catalogue) -> String {
        let name = "refusal.\(refusal.status)"
        return texts.text(texts.has(name) ? name : refusal.status >= 500 ? "refusal.500" : "refusal.other")
    }
}

extension Refusal {
    /// Writes it into the log if it is for whoever runs the server: nothing that a client, or waiting, can mend.
    func logged(_ request: Request, _ context: CuratorContext) -> Refusal {
        if status >= 500, status != 503 {
            context.logger.error("\(request.method) \(request.uri.path): \(placedProblem)")
        }
        return self
    }
}
