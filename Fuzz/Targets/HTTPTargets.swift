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
        let answer = try ControlScene.shared.get().answer(to: octets)
        guard !answer.isEmpty else { return }
        let status = Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
        try require(answer.starts(with: "HTTP/1.1 ".utf8), "an answer that is no HTTP")
        // A method that nobody knows, and a daemon without content.
        try require((100...499).contains(status) || [501, 503].contains(status), "status \(status)")
    }
}

/// The API of a daemon that knows one beacon, on a Unix socket.
private struct ControlScene: Sendable {
    static let shared = Result { try ControlScene() }

    private let folder: TemporaryFolder
    private let socket: String

    private init() throws {
        folder = try TemporaryFolder()
        socket = folder.path("control.sock")
        let hub = EventHub(names: Names(), capacity: 64) { Timestamp(seconds: 1_700_000_100) }
        // An unfinished request ends with its connection, or else soon.
        let settings = ControlSettings(socket: socket, requestTimeout: 0.05)
        let service = ControlService(
            QuietDaemon(hub: hub), settings: settings, logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
        // Not on the cooperative pool, whose threads may all be in a check.
        let thread = try ThreadExecutor()
        Task(executorPreference: thread) { try await service.run() }
        for _ in 0..<1000 {
            if (try? BlockingConnection(unix: socket)) != nil { return }
            usleep(10_000)
        }
        throw BrokenInvariant(description: "the server does not listen after ten seconds")
    }

    /// The head of the answer, or nothing if the server closes the connection without one.
    func answer(to octets: [UInt8]) throws -> [UInt8] {
        let connection = try BlockingConnection(unix: socket)
        connection.send(octets)
        return try connection.receive()
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
