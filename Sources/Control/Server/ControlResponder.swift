import Console
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Radio

struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }
}

/// Finds the route of a request, and writes its answer as HTTP.
struct ControlResponder: Sendable {
    private let responder: RouterResponder<ControlContext>
    private let paths: [(path: RouterPath, methods: Set<String>, name: String)]
    private let guards: NetworkGuard?
    private let streams: Places
    private let fileIO: FileIO

    /// Bodies say nothing here, and larger ones are not read.
    static let longestBody = 65_536

    /// - Parameters:
    ///   - guards: what clients on a network have to pass; nil on the Unix socket, whose file's mode says who may ask.
    init(_ routes: [ControlRoute], guards: NetworkGuard?, streams: Places) {
        self.guards = guards
        self.streams = streams
        fileIO = FileIO()
        let offered = routes.filter { guards == nil || $0.method == .get }
        let router = Router(context: ControlContext.self, options: .autoGenerateHeadEndpoints)
        for route in offered {
            router.on(RouterPath(route.path), method: route.method == .get ? .get : .post) { [fileIO] request, context in
                let asked = ControlRequest(request, route, context.parameters, isLocal: guards == nil)
                let answer = try await route.answer(asked)
                return try await Self.response(answer, to: request, context, fileIO, route.isStream ? streams : nil)
            }
        }
        responder = router.buildResponder()
        // Also what is offered elsewhere only: its method is then the wrong one, rather than the path.
        paths = routes.map { route in
            let methods = offered.filter { $0.path == route.path }.flatMap { $0.method == .get ? ["GET", "HEAD"] : ["POST"] }
            return (RouterPath(route.path), Set(methods), route.path)
        }
    }

    /// The response to a request; a refusal is one too.
    func response(to request: Request, channel: any Channel, logger: Logger) async -> Response {
        let meter = RequestMeter(name(of: request.uri.path))
        var response: Response
        do throws(ControlFailure) {
            response = try await answered(request, channel, logger)
        } catch {
            response = Self.refusal(error)
        }
        response.headers[.date] = HTTPTime.text(WallClock.now)
        response.headers[.xContentTypeOptions] = "nosniff"
        meter.note(response.status)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answered(
        _ request: Request, _ channel: any Channel, _ logger: Logger
    ) async throws(ControlFailure) -> Response {
        guard !Self.isTooLarge(request) else {
            throw ControlFailure(
                413, "the request has a body of more than \(Self.longestBody) octets", whatToDo: "send none: none is used")
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
            var response = try await responder.respond(
                to: request, context: ControlContext(source: .init(channel: channel, logger: logger)))
            // The router's own refusals are bare.
            if response.status == .notFound, response.headers[.contentType] == nil { throw unknown(request) }
            response.headers.append(contentsOf: grant)
            return response
        } catch let failure as ControlFailure {
            throw failure
        } catch is CancellationError {
            throw ControlFailure(503, "the daemon ends or is reloaded", whatToDo: "ask again in a second")
        } catch {
            throw ControlFailure(500, "\(error)", whatToDo: "report this, with the daemon's log")
        }
    }

    /// Larger bodies, and those whose size is not said.
    static func isTooLarge(_ request: Request) -> Bool {
        request.headers[.contentLength].flatMap { Int($0) } ?? 0 > longestBody
            || request.headers[.transferEncoding] != nil
    }

    private func unknown(_ request: Request) -> ControlFailure {
        let path = request.uri.path
        let parts = path.split(separator: "/")
        let methods = paths.filter { matches($0.path, parts) }.map(\.methods)
        guard !methods.isEmpty else {
            return ControlFailure(404, "there is nothing at \(path)", whatToDo: "GET /v1 lists what there is")
        }
        let allowed = methods.reduce(into: Set<String>()) { $0.formUnion($1) }.sorted()
        guard !allowed.isEmpty else {
            return ControlFailure(
                403, "\(path) changes something, and this address is to read only",
                whatToDo: "use the Unix socket, as beaconctl does")
        }
        var failure = ControlFailure(
            405, "\(path) does not take \(request.method.rawValue)",
            whatToDo: "use \(allowed.joined(separator: " or "))")
        failure.allow = allowed
        return failure
    }

    /// The route that a path is one of, as it is documented; one without variables goes first.
    private func name(of path: String) -> String? {
        let parts = path.split(separator: "/")
        let found = paths.filter { matches($0.path, parts) }
        return (found.first { !$0.name.contains("{") } ?? found.first)?.name
    }

    private func matches(_ path: RouterPath, _ parts: [Substring]) -> Bool {
        path.count == parts.count && zip(path, parts).allSatisfy { $0 ~= $1 }
    }

    static func refusal(_ failure: ControlFailure) -> Response {
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        if !failure.allow.isEmpty { headers[.allow] = failure.allow.joined(separator: ", ") }
        if failure.status == 401 { headers[.wwwAuthenticate] = "Bearer realm=\"beacond\"" }
        return Response(
            status: .init(code: failure.status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: failure.json + "\n")))
    }

    // MARK: - Answers

    private static func response(
        _ answer: ControlAnswer, to request: Request, _ context: ControlContext, _ fileIO: FileIO,
        _ streams: Places?
    ) async throws -> Response {
        var headers: HTTPFields = [.contentType: answer.mediaType]
        for (name, value) in answer.fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let status = HTTPResponse.Status(code: answer.status)
        if let tag = headers[.eTag], matchesNone(tag, request) {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        switch answer.body {
        case .text(let text):
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
        case .octets(let octets):
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: octets)))
        case .file(let path):
            return try await FileResponse.make(path, headers, request, context, fileIO)
        case .stream(let write):
            let place = streams?.take()
            if let streams, place == nil {
                throw ControlFailure(
                    503, "\(streams.maximum) clients read events already",
                    whatToDo: "end some of them, or ask again later")
            }
            return Response(
                status: status, headers: headers,
                body: .init { [place] writer in
                    var pieces = PieceWriter(writer: writer)
                    try await write(&pieces)
                    try await pieces.writer.finish(nil)
                    // Kept for as long as the stream is.
                    withExtendedLifetime(place) {}
                })
        }
    }

    /// RFC 9110, section 13.1.2.
    private static func matchesNone(_ tag: String, _ request: Request) -> Bool {
        guard request.method == .get || request.method == .head, let asked = request.headers[.ifNoneMatch] else {
            return false
        }
        return asked == "*" || asked.split(separator: ",").contains { part in
            let part = part.filter { $0 != " " }
            return part == tag || part == "W/" + tag
        }
    }
}
