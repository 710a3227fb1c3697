import Beacon
import Curation
import CurationStore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Platform
import Serving
import Text

/// From a request on a connection to its response: checks that hold for all routes, then the router.
struct CuratorResponder: Sendable {
    private let router: RouterResponder<CuratorContext>
    private let hosts: HostNames
    private let proxies: [AddressRange]
    private let services: CuratorServices

    init(_ services: CuratorServices) {
        self.services = services
        router = CuratorRouter.responder(services)
        hosts = HostNames(services.settings.hosts)
        proxies = services.settings.proxies
    }

    func answer(
        _ request: Request, _ client: Client, _ channel: any Channel, isEncrypted: Bool, logger: Logger
    ) async -> BoundedServer.Answer {
        let origin = ClientOrigin(
            peer: channel.remoteAddress?.ipAddress ?? "", isEncrypted: isEncrypted,
            forwardedFor: Self.joined(request, "X-Forwarded-For"),
            forwardedProto: Self.joined(request, "X-Forwarded-Proto"), proxies: proxies)
        let source = CuratorContextSource(
            address: origin.address, isSecure: origin.isSecure, client: client, logger: logger)
        var response: Response
        var isWellFormed = false
        do throws(Refusal) {
            try Self.checkForm(of: request)
            isWellFormed = true
            try hosts.check(
                request, remedy: "use its address, or name it with --address or --host when the server is started")
            response = await routed(request.asGet, CuratorContext(source: source))
        } catch {
            response = error.response(realm: CuratorRouter.realm)
        }
        SecurityHeaders.add(to: &response, isSecure: origin.isSecure)
        response.headers[.date] = HTTPDate.text(services.now().time)
        // What was not read of a body is dropped, as far as that is not too much.
        let keeps = isWellFormed && request.declaredLength <= services.settings.largestUpload
        if !keeps { response.headers[.connection] = "close" }
        let sent = request.method == .head ? response.withoutBody() : response
        return .init(sent, keepsConnection: keeps)
    }

    private func routed(_ request: Request, _ context: CuratorContext) async -> Response {
        // A client that leaves does not cancel what it has asked to change: it is done as a whole.
        let router = router
        do {
            guard request.method == .get else {
                var request = request
                request.body = RequestBody(asyncSequence: ArrivingBody(body: request.body))
                return try await router.respond(to: request, context: context)
            }
            let work = Task { try await router.respond(to: request, context: context) }
            context.client.whenGone { work.cancel() }
            defer { context.client.whenGone(nil) }
            return try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
        } catch let error as HTTPError {
            return RefusalMiddleware.refusal(of: error, at: request.uri.path).response(realm: CuratorRouter.realm)
        } catch let error as Refusal {
            return error.response(realm: CuratorRouter.realm)
        } catch let error as StoreError where error.code != .interrupted {
            // It is not known who asks, nor in which language.
            return Refusal(error).logged(request, context).response(realm: CuratorRouter.realm)
        } catch {
            return Refusal(503, "the server ends", whatToDo: "ask again in a second", retryAfter: 1)
                .response(realm: CuratorRouter.realm)
        }
    }

    /// What two programs might read differently is refused (RFC 9112, section 11.2).
    private static func checkForm(of request: Request) throws(Refusal) {
        let encoding = request.headers[.transferEncoding]
        guard encoding == nil || request.headers[.contentLength] == nil else {
            throw Refusal(400, "the request has two lengths", whatToDo: "send Content-Length or Transfer-Encoding")
        }
        guard encoding == nil || encoding?.lowercased() == "chunked" else {
            throw Refusal(501, "the transfer coding is unknown", whatToDo: "send Content-Length, or chunked")
        }
        guard request.head.path?.utf8.count ?? 0 <= 8192 else {
            throw Refusal(414, "the address has more than 8192 bytes", whatToDo: "send a form instead")
        }
        guard request.head.path?.utf8.first == UInt8(ascii: "/") else {
            throw Refusal(400, "the address does not start with a slash", whatToDo: "send a path")
        }
    }

    /// The values of a field, joined by commas.
    private static func joined(_ request: Request, _ name: String) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        return request.headers[name]
    }
}
