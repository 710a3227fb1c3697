import Beacon
import ContentServer
import Curation
import CurationStore
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Publishing
import RadioEmulation
import Serving
import SiteFormat
import Testing
import TestSupport

@Suite("The preview", .timeLimit(.minutes(10)))
struct PreviewTests {
    private static func beacon(_ minor: UInt16, _ name: String) -> (DocumentID, Document) {
        var beacon = BeaconDocument()
        beacon.name = LocalizedText(name, in: .english)
        beacon.uuid = ProximityUUID("7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096")
        beacon.major = 1
        beacon.minor = minor
        return (DocumentID.random(), .beacon(beacon))
    }

    /// With times that a busy machine does not exceed.
    private static func previews(in folder: String) -> Previews {
        Previews(
            folder: "\(folder)/preview", program: Programs.beacond, startLimit: longestWait, freshness: .seconds(3600))
    }

    private static var request: Request {
        Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/"),
            body: RequestBody(buffer: ByteBuffer()))
    }

    @Test("walks past the beacons by name, from the one that was asked for and round")
    func walk() throws {
        let (a, b, c) = (Self.beacon(3, "Anchor"), Self.beacon(1, "Boat"), Self.beacon(2, "Chart"))
        var draft = BeaconDocument()
        draft.name = LocalizedText("No numbers yet", in: .english)
        let documents = Dictionary(uniqueKeysWithValues: [a, b, c, (DocumentID.random(), .beacon(draft))])
        let walk = try #require(PreviewWalk(documents, language: [.english], from: b.0))
        #expect(walk.stops.map(\.name) == ["Boat", "Chart", "Anchor"])
        #expect(PreviewWalk(documents, language: [.english])?.stops.map(\.name) == ["Anchor", "Boat", "Chart"])
    }

    @Test("has no walk where no beacon has its numbers")
    func nothing() {
        #expect(PreviewWalk([.random(): .beacon(BeaconDocument())], language: [.english]) == nil)
    }

    @Test(
        "gives beacond each name as it is, also with characters that nobody sees",
        arguments: [
            "Room \u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "a\u{200B}b\u{FEFF}c", "\u{1F468}\u{200D}\u{1F469}",
            "\u{E0001}\u{10FFFD}\u{2028}\u{85}", "\"\\\t: #'", "\u{1D173}a\u{FFFD}",
        ])
    func names(name: String) throws {
        let (id, document) = Self.beacon(1, name)
        let walk = try #require(PreviewWalk([id: document], language: [.english]))
        let scenario = try Scenario(yaml: walk.scenario, file: "walk.yaml")
        #expect(scenario.names.values.first.map { Array($0.unicodeScalars) } == Array(name.unicodeScalars))
    }

    @Test("keeps a name inside the scenario, whatever is in it")
    func quoted() throws {
        let (id, document) = Self.beacon(1, "a\"\nsources: [h4:tcp:evil:1] # \u{2028}")
        let walk = try #require(PreviewWalk([id: document], language: [.english]))
        #expect(!walk.scenario.contains("\nsources"))
        #expect(walk.scenario.split(separator: "\n").count { $0.contains("name:") } == 1)
    }

    @Test("says so where beacond is not installed")
    func missing() async throws {
        let previews = Previews(folder: try temporaryFolder("preview"), program: nil)
        let (id, document) = Self.beacon(1, "Boat")
        let walk = try #require(PreviewWalk([id: document], language: [.english]))
        let error = await #expect(throws: Refusal.self) { _ = try await previews.start(walk, for: "ann") { _ in } }
        #expect(error?.problem.contains("not installed") == true)
    }

    @Test("shows the drafts by a real daemon without a site, and leaves nothing behind", .timeLimit(.minutes(10)))
    func real() async throws {
        let folder = try temporaryFolder("pv")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let previews = Self.previews(in: folder)
        let picture = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
        let media = MediaDocument(hash: AssetHash(of: picture), bytes: Int64(picture.count), mediaType: "image/png")
        try Data(picture).write(to: URL(filePath: "\(folder)/picture"))
        let (id, document) = Self.beacon(1, "Boat")
        let file = DocumentID.random()
        var image = ImageDocument()
        image.beacon = id
        image.title = LocalizedText("A boat", in: .english)
        image.picture = PictureUse(file)
        let drafts: [DocumentID: Document] = [id: document, file: .media(media), .random(): .image(image)]
        let walk = try #require(PreviewWalk(drafts, language: [.english]))
        let name = try await previews.start(walk, for: "ann") { filler in
            let built = try SiteBuilder.build(
                documents: drafts, revision: 1, at: Moment(Timestamp(seconds: 1_800_000_000)))
            try filler.fill(built) { _ in "\(folder)/picture" }
        }
        let socket = try await previews.socket(of: name, for: "ann")
        let path = "v1/content/7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/1/1"
        let content = try await RunningProgram.run("curl", ["-s", "--unix-socket", socket, "http://localhost/\(path)"])
        #expect(content.output.contains("\"missing\":0"))
        #expect(content.output.contains("A boat"))
        try await waitUntil("the visitor is at the beacon") {
            let status = try await RunningProgram.run(
                "curl", ["-s", "--unix-socket", socket, "http://localhost/v1/status"])
            return status.output.contains("\"nearest\":{") && status.output.contains("Boat")
        }
        // A proxy must not keep back what comes one by one.
        let field = try #require(HTTPField.Name("X-Accel-Buffering"))
        let events = try await PreviewProxy.answer(Self.request, path: "/v1/events", socket: socket) {}
        #expect(events.status.code == 200 && events.headers[field] == "no")
        // Nobody else may look.
        await #expect(throws: Refusal.self) { _ = try await previews.socket(of: name, for: "bob") }
        await previews.endAll()
        #expect(await previews.preview(of: "ann") == nil)
        try await waitUntil("its folder is gone") {
            !FileManager.default.fileExists(atPath: "\(folder)/preview/\(name)")
        }
        #expect(FileManager.default.fileExists(atPath: "\(folder)/picture"))
    }

    @Test("says so in time where its daemon does not answer")
    func silent() async throws {
        let folder = try temporaryFolder("pv")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Clients get in, and nobody serves them.
        let path = "\(folder)/control"
        let socket = try ListeningSocket.bound(to: path)
        defer {
            socket.release()
            close(socket.descriptor)
        }
        let error = await #expect(throws: Refusal.self) {
            _ = try await PreviewProxy.answer(Self.request, path: "/v1/status", socket: path, within: 1) {}
        }
        #expect(error?.status == 504)
    }

    @Test("ends a daemon for whose start nobody waits any more")
    func cancelledStart() async throws {
        let folder = try temporaryFolder("pv")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // It never serves.
        let program = "\(folder)/beacond"
        try await writeScript("#!/bin/sh\necho $$ >'\(folder)/started'\nexec sleep 1000\n", to: program)
        let previews = Previews(
            folder: "\(folder)/preview", program: program, startLimit: .seconds(3600), freshness: .seconds(3600))
        let (id, document) = Self.beacon(1, "Boat")
        let walk = try #require(PreviewWalk([id: document], language: [.english]))
        let starting = Task { try await previews.start(walk, for: "ann") { _ in } }
        let number = try await eventually("the daemon runs") {
            (try? String(contentsOfFile: "\(folder)/started", encoding: .utf8))
                .flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
        starting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await starting.value }
        #expect(await previews.preview(of: "ann") == nil)
        try await waitUntil("it has ended") { kill(number, 0) != 0 }
    }

    @Test("is one for an account, and three for all", .timeLimit(.minutes(10)))
    func bounded() async throws {
        let folder = try temporaryFolder("pv")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let previews = Self.previews(in: folder)
        let (id, document) = Self.beacon(1, "Boat")
        let walk = try #require(PreviewWalk([id: document], language: [.english]))
        let first = try await previews.start(walk, for: "ann") { _ in }
        let second = try await previews.start(walk, for: "ann") { _ in }
        #expect(first != second)
        await #expect(throws: Refusal.self) { _ = try await previews.socket(of: first, for: "ann") }
        _ = try await previews.start(walk, for: "bob") { _ in }
        _ = try await previews.start(walk, for: "cai") { _ in }
        let error = await #expect(throws: Refusal.self) { _ = try await previews.start(walk, for: "dora") { _ in } }
        #expect(error?.status == 503)
        await previews.endAll()
        await #expect(throws: Refusal.self) { _ = try await previews.start(walk, for: "ann") { _ in } }
    }

    /// What becomes of an account, on the page Accounts and by the API.
    enum Change: CaseIterable {
        case pageViewer, pageRemoved, viewer, disabled, removed, administrator

        func make(_ server: CuratorServer) async throws -> RawResponse {
            let token = try await server.token([.admin])
            let (cookie, csrf) = try await server.signIn("ana")
            // A name may be written in another way.
            let form = [("csrf", csrf), ("name", "BEN"), ("role", "viewer")]
            return switch self {
            case .pageViewer: try await server.post("/accounts/role", form, cookie: cookie)
            case .pageRemoved: try await server.post("/accounts/remove", form, cookie: cookie)
            case .viewer: try await server.api("PATCH", "/accounts/BEN", token, body: #"{"role":"viewer"}"#)
            case .disabled: try await server.api("PATCH", "/accounts/BEN", token, body: #"{"enabled":false}"#)
            case .removed: try await server.api("DELETE", "/accounts/BEN", token)
            case .administrator:
                try await server.api("PATCH", "/accounts/BEN", token, body: #"{"role":"administrator"}"#)
            }
        }
    }

    /// A server with an administrator, and with the preview of the editor `ben`.
    private static func serverWithPreview() async throws -> (server: CuratorServer, name: String) {
        let server = try await CuratorServer()
        try await server.account("ana", .administrator)
        try await server.account("ben", .editor)
        let (id, document) = beacon(1, "Boat")
        let walk = try #require(PreviewWalk([id: document], language: [.english]))
        return (server, try await server.services.previews.start(walk, for: "ben") { _ in })
    }

    @Test("ends when its account may not look at it any more, and with no other change", arguments: Change.allCases)
    func lostRights(change: Change) async throws {
        let (server, name) = try await Self.serverWithPreview()
        let answer = try await change.make(server)
        #expect(answer.status == 200 || answer.status == 303, "\(answer.text)")
        let left = await server.services.previews.preview(of: "ben")
        #expect(left == (change == .administrator ? name : nil))
        await server.services.previews.endAll()
    }

    @Test("ends with its events when another process has removed the account")
    func removedElsewhere() async throws {
        let (server, name) = try await Self.serverWithPreview()
        let cookie = try await server.signIn("ben").cookie
        let connection = try RawConnection(port: server.port)
        await connection.send(
            "GET /preview/view/\(name)/v1/events?states=1 HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
        try await connection.waitUntil("events come") { $0.text.contains("event: ranging") }
        try await server.store.removeAccount("ben")
        try await connection.waitUntil("the events end") { $0.isOver }
        let left = await server.services.previews.preview(of: "ben")
        #expect(left == nil)
    }
}
