import Beacon
import Control
import Events
import Foundation
import Logging
import Platform
import Ranging
import Settings
import TestSupport

extension FuzzTarget {
    /// Octets that reach the daemon's HTTP API, through the real server with its limits.
    static let httpRequest = FuzzTarget(
        "http-request",
        words: [
            "GET ", "POST ", "HEAD ", " HTTP/1.1\r\n", "Host: localhost\r\n", "Content-Length: ",
            "Transfer-Encoding: chunked\r\n",
            "Expect: 100-continue\r\n", "Accept: text/event-stream\r\n", "If-None-Match: ", "Range: bytes=0-",
            "Last-Event-ID: ",
            "Connection: close\r\n", "/v1/ranging", "/v1/nearest", "/v1/events", "/v1/status", "?beacon=", "&since=",
            "%2F", "..", "\r\n\r\n",
        ], mutationsInTests: 100, detectsLeaks: false
    ) {
        [
            "GET /v1/ranking HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /v1/nearest?beacon=1.2&x=%C3 HTTP/1.1\r\nHost: [::1]\r\n\r\n",
            "GET /v1/events?after=7&states=1 HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 3\r\n\r\n",
            "GET /v1/beacons/636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/2/explanation HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /v1/content/sync HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/content HTTP/1.0\r\n\r\n",
        ].map { Array($0.utf8) }
    } check: { octets in
        let scene = try ControlScene.shared.get()
        _ = try firstStatus(of: try BlockingConnection(unix: scene.socket), asked: octets)
    }

    /// The same on TCP, where a token is needed.
    static let networkRequest = FuzzTarget(
        "network-request",
        words: [
            "GET / HTTP/1.1\r\n", "Host: localhost\r\n", "Host: evil.example\r\n", "Authorization: Bearer ",
            "Authorization: Basic ", "Cookie: beacond_token=", "?token=", "&token=", "X-Forwarded-For: ",
            "//evil.example", "%2F", "/v1/status", "\r\n\r\n",
        ], mutationsInTests: 100, detectsLeaks: false
    ) {
        [
            "GET /v1/ranking HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer no\r\n\r\n",
            "GET /v1/status HTTP/1.1\r\nHost: [::1]:80\r\nAuthorization: Bearer \(ControlScene.token)\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a=b; beacond_token=no\r\n\r\n",
            "GET /?token=\(ControlScene.token)&kiosk HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            "POST /v1/content/sync HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
        ].map { Array($0.utf8) }
    } check: { octets in
        let scene = try ControlScene.shared.get()
        guard let status = try firstStatus(of: try BlockingConnection(port: scene.port), asked: octets) else { return }
        let isAllowed = String(decoding: unescaped(octets), as: UTF8.self).contains(ControlScene.token)
        try require(isAllowed || status < 200 || status >= 400, "status \(status) without the token")
    }
}

/// The status of the first answer, or nil if the server closes the connection without one.
private func firstStatus(of connection: BlockingConnection, asked octets: [UInt8]) throws -> Int? {
    connection.send(octets)
    let answer = try connection.receive()
    guard !answer.isEmpty else { return nil }
    let status = Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
    try require(answer.starts(with: "HTTP/1.1 ".utf8), "an answer that is no HTTP")
    // A method that nobody knows, and a daemon without content.
    try require((100...499).contains(status) || [501, 503].contains(status), "status \(status)")
    return status
}

/// With the octets that percent escapes stand for.
private func unescaped(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = octets[...]
    while let octet = rest.popFirst() {
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        if octet == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
            rest = rest.dropFirst(2)
            result.append(value)
        } else {
            result.append(octet)
        }
    }
    return result
}

/// The API of a daemon that knows one beacon, on a Unix socket and on TCP.
private struct ControlScene: Sendable {
    static let shared = Result { try ControlScene() }

    static let token = "s3cret-4711"

    private let folder: TemporaryFolder
    let socket: String
    let port: UInt16

    private init() throws {
        folder = try TemporaryFolder()
        socket = folder.path("control.sock")
        port = try freePort()
        let hub = EventHub(names: Names(), capacity: 64) { Timestamp(seconds: 1_700_000_100) }
        // An unfinished request ends with its connection, or else soon.
        let settings = ControlSettings(
            socket: socket, listen: try ListenAddress("\(port)"), token: Self.token, requestTimeout: 0.05)
        let service = ControlService(
            QuietDaemon(hub: hub), settings: settings, logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
        // Not on the cooperative pool, whose threads may all be in a check.
        let thread = try ThreadExecutor()
        Task(executorPreference: thread) { try await service.run() }
        for _ in 0..<1000 {
            if (try? BlockingConnection(unix: socket)) != nil, (try? BlockingConnection(port: port)) != nil { return }
            usleep(10_000)
        }
        throw BrokenInvariant(description: "the server does not listen after ten seconds")
    }
}

private struct QuietDaemon: DaemonAccess {
    let hub: EventHub
    let version = "1.2.3"
    let startedAt = Timestamp(seconds: 1_700_000_000)
    let sources = ["sim"]
    let content: (any ContentControl)? = nil

    func regions() -> [RegionState] { [] }
    func tracked() -> [BeaconID] { [BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)] }
    func explanation(of beacon: BeaconID) -> BeaconExplanation? { nil }
}
