import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
import Serving

/// Reads the form of a request into `CuratorContext.form`, and refuses changes that do not come from a page of this
/// server.
package struct FormMiddleware: RouterMiddleware {
    package typealias Context = CuratorContext

    /// The largest form without files, in bytes: a full page in all languages.
    package static let largestForm = 4 << 20
    /// Of somebody who has not signed in: a name and a password.
    private static let strangersForm = 65_536

    private let services: CuratorServices

    package init(_ services: CuratorServices) {
        self.services = services
    }

    package func handle(
        _ request: Request, context: CuratorContext, next: (Request, CuratorContext) async throws -> Response
    ) async throws -> Response {
        // The API checks for itself who sends what.
        let isProgram = request.uri.path.hasPrefix("/api/") || request.uri.path.hasPrefix("/v1/")
        if isProgram {
            let isReading = request.method == .get || request.method == .head
            if !isReading, context.visitor != nil { try Self.check(request, context) }
            return try await next(request, context)
        }
        guard request.method != .get, request.method != .head, request.method != .options else {
            return try await next(request, context)
        }
        var (request, context) = (request, context)
        let type = request.headers[.contentType]?.split(separator: ";").first.map { $0.lowercased() }
        if type == "application/x-www-form-urlencoded" {
            let isStranger = context.visitor == nil
            let body = try await collected(
                &request, upTo: isStranger ? Self.strangersForm : Self.largestForm,
                tooLarge: isStranger ? Self.tooLargeForStrangers : Self.tooLarge)
            context.form = FormFields(try URLEncodedForm.fields(of: Array(buffer: body)))
        } else if let boundary = MultipartParser.boundary(of: request.headers[.contentType]) {
            try context.signedIn()
            let (asked, former) = (request, context)
            var form = MultipartForm(services) { fields throws(Refusal) in
                var context = former
                context.form = fields
                try Self.check(asked, context)
                try context.signedIn(.editor)
            }
            context.form = try await form.read(request, boundary: boundary)
        }
        try Self.check(request, context)
        context.visitor = try await services.visitor(of: context)
        return try await next(request, context)
    }

    private func collected(
        _ request: inout Request, upTo limit: Int, tooLarge: Refusal
    ) async throws -> ByteBuffer {
        do {
            return try await request.collected(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
    }

    static let tooLarge = Refusal(
        413, "the texts of the form have more than \(largestForm) bytes", whatToDo: "shorten them")

    /// Perhaps an editor's whose session has ended.
    private static let tooLargeForStrangers = Refusal(
        413, "nobody is signed in, and the form has more than \(strangersForm) bytes",
        whatToDo: "sign in, and send it again")

    static func check(_ request: Request, _ context: CuratorContext) throws(Refusal) {
        // No browser sends a token by itself, as it does cookies and passwords (`Authorization: Basic`).
        if request.bearerToken != nil { return }
        guard let name = HTTPField.Name("X-CSRF-Token") else { return }
        let proof = request.headers[name] ?? context.form.raw("csrf") ?? ""
        guard isSameSecret(proof, context.csrf) else {
            throw Refusal(
                403, "the form does not come from a page of this server, or it is too old",
                whatToDo: "open the page again and repeat it")
        }
    }
}
