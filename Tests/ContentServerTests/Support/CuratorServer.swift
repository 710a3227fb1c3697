import Beacon
import ContentServer
import Curation
import CurationStore
import Foundation
import Logging
import Media
import Serving
import Settings
import Synchronization
import TestSupport

/// A content server in this process, on a free port of the loopback address, with a database of its own.
final class CuratorServer: Sendable {
    let store: CurationStore
    let services: CuratorServices
    let port: Int
    let clock: TestClock
    private let folder: TemporaryFolder
    private let task: Task<Void, any Error>

    static let password = "correct horse battery"

    init(
        limits: BoundedServer.Limits = ContentService.limits, logger: Logger? = nil,
        _ change: (inout ServerSettings) -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        store = try CurationStore(folder: folder.path, passwordCost: .test)
        var settings = ServerSettings(state: folder.path, address: "http://localhost")
        change(&settings)
        let clock = TestClock()
        self.clock = clock
        var services = try CuratorServices(
            settings: settings, store: store,
            media: try MediaLibrary(folder: folder.path, helper: ImageHelper(program: nil))
        ) { clock.now }
        // With times that a busy machine does not exceed.
        services.previews = Previews(
            folder: "\(folder.path)/preview", program: Programs.beacond, startLimit: longestWait,
            freshness: .seconds(3600))
        self.services = services
        let socket = try ListeningSocket.bound(to: try ListenAddress("127.0.0.1:0"))
        port = Int(socket.port ?? 0)
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        let service = ContentService(services, sockets: [socket], limits: limits, logger: logger ?? quiet)
        task = Task { try await service.run() }
    }

    deinit {
        task.cancel()
    }

    // MARK: - Requests

    func ask(
        _ path: String, method: String = "GET", host: String? = "localhost", _ fields: [String] = [],
        body: String = ""
    ) async throws -> RawResponse {
        var all = host.map { ["Host: \($0)"] } ?? []
        all += fields
        // Behind a GET without a length it would be a second request, and a wrong one.
        let body = method == "GET" || method == "HEAD" ? "" : body
        if method != "GET", method != "HEAD", !fields.contains(where: { $0.hasPrefix("Transfer-Encoding") }) {
            all.append("Content-Length: \(body.utf8.count)")
        }
        return try await RawConnection(port: port).ask(path, method: method, fields: all, body: body)
    }

    /// Sends a form as a browser does.
    func post(
        _ path: String, _ values: [(String, String)], cookie: String?, _ more: [String] = []
    ) async throws -> RawResponse {
        let body = values.map { "\(Self.escaped($0.0))=\(Self.escaped($0.1))" }.joined(separator: "&")
        return try await ask(
            path, method: "POST",
            ["Content-Type: application/x-www-form-urlencoded"] + (cookie.map { ["Cookie: \($0)"] } ?? []) + more,
            body: body)
    }

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// Calls the API with a token.
    func api(
        _ method: String, _ path: String, _ token: String?, _ fields: [String] = [], body: String? = nil
    ) async throws -> RawResponse {
        var all = fields
        if let token { all.append("Authorization: Bearer \(token)") }
        if body != nil { all.append("Content-Type: application/json") }
        return try await ask("/api/v1\(path)", method: method, all, body: body ?? "")
    }

    /// Sends bytes to the API.
    func send(_ path: String, _ token: String?, _ octets: [UInt8]) async throws -> RawResponse {
        var fields = [
            "Host: localhost", "Content-Type: application/octet-stream", "Content-Length: \(octets.count)",
        ]
        if let token { fields.append("Authorization: Bearer \(token)") }
        return try await RawConnection(port: port).ask(
            "/api/v1\(path)", method: "POST", fields: fields, octets: octets)
    }

    // MARK: - Who asks

    func account(_ name: String, _ role: Account.Role) async throws {
        try await store.createAccount(name, role: role, password: Self.password, at: clock.now)
    }

    func token(_ scopes: Set<APIToken.Scope>, expiresIn seconds: Double? = nil) async throws -> String {
        let end = seconds.map { Moment(clock.now.time.advanced(bySeconds: $0)) }
        return try await store.createToken("program", scopes: scopes, expiresAt: end, by: .program, at: clock.now)
            .secret
    }

    /// What a browser knows after it has opened the page for signing in.
    func visit(_ fields: [String] = []) async throws -> (cookie: String, csrf: String) {
        let page = try await ask("/sign-in", fields)
        return (Self.cookie(page) ?? "", Self.csrf(page.text) ?? "")
    }

    /// Signs in, and returns the session's cookie and what its forms carry.
    func signIn(_ name: String) async throws -> (cookie: String, csrf: String) {
        let (visit, csrf) = try await visit()
        let response = try await post(
            "/sign-in", [("csrf", csrf), ("name", name), ("password", Self.password)], cookie: visit)
        guard response.status == 303, let cookie = Self.cookie(response) else {
            throw RunningProgram.Failure(description: "signing in answers \(response.status)")
        }
        let page = try await ask("/sign-in", ["Cookie: \(cookie)"])
        return (cookie, Self.csrf(page.text) ?? "")
    }

    /// `NAME=VALUE` of the cookie that a response sets.
    static func cookie(_ response: RawResponse) -> String? {
        response.fields["set-cookie"].map { String($0.prefix { $0 != ";" }) }
    }

    static func csrf(_ page: String) -> String? {
        guard let start = page.range(of: "name=\"csrf\" value=\"") else { return nil }
        return String(page[start.upperBound...].prefix { $0 != "\"" })
    }
}

/// A wall clock that a test sets.
final class TestClock: Sendable {
    private let time = Mutex(Timestamp(microseconds: 1_780_000_000_000_000))

    var now: Moment { Moment(time.withLock { $0 }) }

    func advance(_ seconds: Double) {
        time.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }
}
