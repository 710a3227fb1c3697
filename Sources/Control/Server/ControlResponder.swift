import Console
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Platform
import Serving
import Text

struct ControlContext: RequestContext {
    typealias Source = ControlContextSource

    var coreContext: CoreRequestContextStorage
    let client: Client

    init(source: ControlContextSource) {
        coreContext = .init(source: source)
        client = source.client
    }
}

struct ControlContextSource: RequestContextSource {
    let client: Client
    let logger: Logger
}

/// Finds the route of a request and writes its answer as HTTP.
struct ControlResponder: Sendable {
    private let responder: RouterResponder<ControlContext>
    /// Includes routes that are available only on the other socket, so that an error does not call their paths
    /// unknown.
    private let paths: KnownPaths
    private let guards: NetworkGuard?
    private let streams: ConnectionLimit
    private let transfers: FileTransfers
    private let refusalPage: RefusalPage?
    private let identity: ServerIdentity

    /// No route uses a request body, and larger bodies are not read.
    static let longestBody = 65_536

    /// - Parameters:
    ///   - guards: the checks for clients on a network; nil on the Unix socket, where the mode of the file decides.
    ///   - refusalPage: the page that a browser gets for a refusal.
    init(
        _ identity: ServerIdentity, _ routes: [ControlRoute], guards: NetworkGuard?, streams: ConnectionLimit,
        transfers: FileTransfers, refusalPage: RefusalPage? = nil
    ) {
        self.identity = identity
        self.guards = guards
        self.streams = streams
        self.transfers = transfers
        self.refusalPage = refusalPage
        let offered = routes.filter { guards == nil || $0.method == .get }
        let router = Router(context: ControlContext.self)
        for route in offered {
            router.on(RouterPath(route.path), method: route.method.http) { request, context in
                let asked = ControlRequest(request, route, context.parameters, isLocal: guards == nil)
                let answer = try await route.answer(asked)
                return try await Self.response(
                    answer, to: request, context.client, transfers, route.isStream ? streams : nil, identity)
            }
        }
        responder = router.buildResponder()
        paths = KnownPaths(
            routes.map { route in
                (path: route.path, methods: offered.filter { $0.path == route.path }.map(\.method.http))
            })
    }

    /// The response to a request. A refusal is a response too.
    func response(to request: Request, of client: Client, logger: Logger) async -> Response {
        let meter = RequestMeter(paths.name(of: request.uri.path))
        var response: Response
        do throws(Refusal) {
            response = try await answered(request, client, logger)
        } catch {
            response = error.response(realm: identity.name)
            if let refusalPage, Self.isByPerson(request) { Self.show(refusalPage(error), in: &response) }
        }
        response.headers[.date] = HTTPDate.text(WallClock.now)
        response.headers[.xContentTypeOptions] = "nosniff"
        meter.note(response.status)
        return request.method == .head ? response.withoutBody() : response
    }

    private func answered(
        _ request: Request, _ client: Client, _ logger: Logger
    ) async throws(Refusal) -> Response {
        guard !Self.isTooLarge(request) else {
            throw Refusal(
                413, "the request has a body of more than \(Self.longestBody) bytes, or of unknown length",
                whatToDo: "send none: none is used")
        }
        var grant: HTTPFields = [:]
        if let guards {
            switch try guards.check(request) {
            case .pass: break
            case .redirect(let response): return response
            case .grant(let fields): grant = fields
            }
        }
        do {
            let context = ControlContext(source: ControlContextSource(client: client, logger: logger))
            var response = try await whileThere(client) {
                try await responder.respond(to: request.asGet, context: context)
            }
            // The router's own refusals have no body.
            if response.status == .notFound, response.headers[.contentType] == nil { throw unknown(request) }
            response.headers.append(contentsOf: grant)
            return response
        } catch let failure as Refusal {
            throw failure
        } catch is CancellationError {
            throw Refusal(503, "\(identity.subject) ends or is reloaded", whatToDo: "ask again in a second")
        } catch {
            throw Refusal(500, "\(error)", whatToDo: "report this, with \(identity.subject)'s log")
        }
    }

    /// Work for a client that has left is cancelled.
    private func whileThere(
        _ client: Client, _ body: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        let work = Task(executorPreference: ControlThreads.requests) { try await body() }
        client.whenGone { work.cancel() }
        defer { client.whenGone(nil) }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    /// Whether the body is too large, or its size is unknown or not a number.
    static func isTooLarge(_ request: Request) -> Bool {
        guard request.headers[.transferEncoding] == nil else { return true }
        guard let length = request.headers[.contentLength] else { return false }
        return UInt64(length).map { $0 > UInt64(longestBody) } ?? true
    }

    private func unknown(_ request: Request) -> Refusal {
        let path = request.uri.path
        if paths.methods(at: path)?.isEmpty == true {
            return Refusal(
                403, "\(path) changes something, and this address is to read only",
                whatToDo: "use the Unix socket, as beaconctl does")
        }
        return paths.refusal(of: request.method, at: path)
            ?? Refusal(404, "there is nothing at \(path)", whatToDo: "GET /v1 lists what there is")
    }

    /// A browser that asks for a page gets HTML; programs that ask for `/v1/…` get JSON.
    private static func isByPerson(_ request: Request) -> Bool {
        (request.method == .get || request.method == .head) && !request.uri.path.hasPrefix("/v1")
            && request.headers[.accept]?.contains("text/html") == true
    }

    private static func show(_ page: ControlAnswer, in response: inout Response) {
        guard case .octets(let octets) = page.body else { return }
        for (name, value) in page.fields {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        response.headers[.contentType] = page.mediaType
        response.body = .init(byteBuffer: ByteBuffer(bytes: octets))
    }

    // MARK: - Answers

    private static func response(
        _ answer: ControlAnswer, to request: Request, _ client: Client, _ transfers: FileTransfers,
        _ streams: ConnectionLimit?, _ identity: ServerIdentity
    ) async throws -> Response {
        var headers: HTTPFields = [.contentType: answer.mediaType]
        for (name, value) in answer.fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let status = HTTPResponse.Status(code: answer.status)
        if let tag = headers[.eTag], request.method == .get || request.method == .head,
            EntityTag.matches(request.headers[.ifNoneMatch], tag)
        {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        func whole(_ body: ResponseBody) -> Response { Response(status: status, headers: headers, body: body) }
        switch answer.body {
        case .text(let text): return whole(.init(ByteBuffer(string: text), to: client))
        case .octets(let octets): return whole(.init(octets, to: client))
        case .shared(let body): return whole(.init(body.buffer, to: client))
        case .file(let path): return try await FileResponse.make(
                path, headers, request, transfers, to: client, realm: identity.name)
        case .stream(let write):
            let place = streams?.take()
            if let streams, place == nil {
                throw Refusal(
                    503, "\(streams.maximum) clients read events or sightings already",
                    whatToDo: "end some of them, or ask again later", retryAfter: 5)
            }
            return Response(
                status: status, headers: headers,
                body: .init { [place] writer in
                    var pieces = PieceWriter(writer: writer, client: client)
                    try await write(&pieces)
                    try await pieces.writer.finish(nil)
                    // Held until the stream ends.
                    withExtendedLifetime(place) {}
                })
        }
    }
}
