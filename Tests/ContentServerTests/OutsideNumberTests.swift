import ContentServer
import Curation
import CurationStore
import SiteFormat
import TestSupport
import Testing

/// Numbers that come from outside. A trap would end the server, and with it this test.
@Suite("Numbers from outside", .timeLimit(.minutes(10)))
struct OutsideNumberTests {
    private static let extremes = [
        "9223372036854775807", "-9223372036854775808", "99999999999999999999", "-1", "1e9", "",
    ]

    private func beacon(_ server: CuratorServer, major: Int = 1) async throws -> DocumentID {
        let json = "{\"uuid\":\"636f3f8f-6491-4bee-95f7-d8cc64a863b5\",\"major\":\(major),\"minor\":2}"
        let document = try Document(.beacon, json: Array(json.utf8), source: "test")
        return try await save(document, server)
    }

    private func save(_ document: Document, _ server: CuratorServer) async throws -> DocumentID {
        try await server.store.save(document, as: nil, over: nil, by: Author("ana"), at: server.clock.now).id
    }

    @Test("in the query of a list show some part of it", arguments: extremes)
    func query(text: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        _ = try await beacon(server)
        for path in [
            "/beacons?offset=", "/media?offset=", "/media/pick?offset=", "/bin?from=", "/history?before=",
            "/history?from=", "/revisions?before=", "/search?q=", "/search?from=", "/statistics?from=",
            "/statistics?until=", "/devices?from=", "/beacons?minor=",
        ] {
            #expect(try await server.ask(path + text, ["Cookie: \(cookie)"]).status == 200, "\(path)")
        }
        let token = try await server.token([.read])
        for path in ["/beacons?offset=", "/beacons?limit=", "/changes?before=", "/revisions?limit=", "/revisions/"] {
            #expect([200, 400, 404].contains(try await server.api("GET", path + text, token).status), "\(path)")
        }
    }

    @Test(
        "in a report are taken or refused, and every page that shows them is still there",
        arguments: [
            ("\"rssi\":1e300", ""), ("\"rssi\":-1e300", ""), ("\"rssi\":-60,\"interval_ms\":1e308", ""),
            ("\"rssi\":-60,\"last_seen\":\"9999-12-31T23:59:59Z\"", ""),
            ("\"rssi\":-60,\"last_seen\":\"0001-01-01T00:00:00Z\"", ""),
            ("\"rssi\":-60", "\"revision\":9223372036854775807,"), ("\"rssi\":-60", "\"missing\":9223372036854775807,"),
            ("\"rssi\":-60", "\"missing\":-9223372036854775808,"), ("\"rssi\":-60", "\"revision\":-1,"),
        ])
    func report(heard: String, more: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let cookie = try await server.signIn("ana").cookie
        let body = """
            {"format":1,"host":"hall-1",\(more)"complete":false,"period_start":"2026-05-28T20:00:00Z",\
            "period_end":"2026-05-28T20:01:00Z","beacons":[{"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5",\
            "major":7,"minor":1,\(heard)}],"dwell":[]}
            """
        let status = try await server.ask(
            "/v1/reports", method: "POST",
            ["Content-Type: application/json", "Authorization: Bearer \(try await server.token([.report]))"], body: body
        ).status
        #expect(status == 204 || (400..<500).contains(status))
        for path in ["/beacons", "/beacons/new", "/devices", "/statistics", "/revisions", "/publish"] {
            #expect(try await server.ask(path, ["Cookie: \(cookie)"]).status == 200, "\(path)")
        }
        #expect(try await server.api("GET", "/devices", try await server.token([.read])).status == 200)
        let publisher = try await server.token([.publish])
        #expect(try await server.api("POST", "/revisions", publisher, body: "{}").status == 201)
    }

    @Test("move an image by one place only", arguments: extremes.filter { $0 != "-1" } + ["2", "-2"])
    func order(by: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let beacon = try await beacon(server)
        var body = ImageDocument()
        body.beacon = beacon
        let first = try await save(.image(body), server)
        _ = try await save(.image(body), server)
        let response = try await server.post(
            "/beacons/\(beacon)/order", [("csrf", csrf), ("image", first.text), ("by", by)], cookie: cookie)
        #expect(response.status == 422)
        #expect(try await server.store.images(of: beacon).first?.id == first)
    }

    @Test("name rows of a gallery only up to a limit", arguments: extremes)
    func rows(number: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, csrf) = try await server.signIn("ana")
        let image = try await save(.image(ImageDocument()), server)
        let hash = AssetHash(of: [1])
        let media = try await save(.media(MediaDocument(hash: hash, bytes: 1, mediaType: "image/png")), server)
        let response = try await server.post(
            "/images/\(image)/contents/left",
            [
                ("csrf", csrf), ("version", "1"), ("kind", "gallery"), ("pictures", ""),
                ("pictures.\(number).media", media.text), ("more", media.text),
            ], cookie: cookie)
        #expect(response.status == 303 || response.status == 422)
        #expect(try await server.ask("/images/\(image)", ["Cookie: \(cookie)"]).status == 200)
    }

    @Test(
        "in a document have bounds",
        arguments: [
            ("images", "{\"rank\":9223372036854775807}"), ("images", "{\"rank\":-9223372036854775808}"),
            ("images", "{\"width_cm\":1e308}"), ("plans", "{\"width_m\":1e308}"),
            ("beacons", "{\"coordinates\":{\"latitude\":1e308,\"longitude\":0}}"),
            ("beacons", "{\"place\":{\"x\":1e308,\"y\":0}}"),
        ])
    func document(path: String, body: String) async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit])
        #expect(try await server.api("POST", "/\(path)", token, body: body).status == 422)
    }

    @Test("leave room for a further image behind the highest rank", arguments: [Int64.max, .min, 1_000_000_000])
    func rank(highest: Int64) async throws {
        let server = try await CuratorServer()
        var image = ImageDocument()
        image.rank = highest
        _ = try await save(.image(image), server)
        let last = try await save(.image(ImageDocument()), server)
        let rank = try #require(try await server.store.document(last).document.image?.rank)
        var again = ImageDocument()
        again.rank = rank
        #expect(DocumentCheck().mistakes(in: .image(again)).isEmpty)
    }
}
