import Curation
import CurationStore
import Foundation
import TestSupport
import Testing

@Suite("Markup in what curators type", .timeLimit(.minutes(10)))
struct MarkupTests {
    private static let attack = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{csrf}}{{{frame.csrf}}}"

    @Test("is shown as text on every page, and never evaluated as a template")
    func everyField() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .administrator)
        let (cookie, _) = try await server.signIn("ana")
        let token = try await server.token([.edit, .admin, .publish])
        let attack = String(decoding: try JSONEncoder().encode(Self.attack), as: UTF8.self)
        // Some fields take 50 characters only.
        let short = "\"<script>alert(1)</script>{{csrf}}\""
        let text = "{\"en\":\(attack)}"
        let beacon = try await server.api(
            "POST", "/beacons", token, body: "{\"name\":\(text),\"note\":\(attack),\"floor\":\(short)}")
        #expect(beacon.status == 201, "\(beacon.text)")
        let id = try #require(beacon["id"])
        let image = try await server.api(
            "POST", "/images", token,
            body: """
                {"beacon":"\(id)","title":\(text),"category":\(short),"tags":[\(short)],"transcript":\(text),\
                "contents":[{"side":"left","kind":"map","label":\(text),"action":{"kind":"navigate","value":"48.1,11.5",\
                "name":\(text),"description":\(text),"overlay_text":\(text)}}],"page":{"title":\(text)}}
                """)
        #expect(image.status == 201, "\(image.text)")
        let picture = try #require(image["id"])
        #expect(
            try await server.api("POST", "/plans", token, body: "{\"name\":\(text),\"floor\":\(short)}").status == 201)
        let paths = [
            "/beacons", "/beacons/\(id)", "/images/\(picture)", "/images/\(picture)/contents/left",
            "/images/\(picture)/page", "/plans", "/history", "/publish", "/revisions", "/site", "/uncategorized",
            "/bin",
            "/search?q=\(CuratorServer.escaped(Self.attack))", "/sign-in?next=\(CuratorServer.escaped(Self.attack))",
            "/beacons?text=\(CuratorServer.escaped(Self.attack))", "/nothing\(CuratorServer.escaped(Self.attack))",
        ]
        var shown = 0
        for path in paths {
            let page = try await server.ask(path, ["Cookie: \(cookie)"])
            #expect(page.status < 500, "\(path)")
            #expect(!page.text.contains("<script>alert"), "\(path)")
            #expect(!page.text.contains("<img src=x"), "\(path)")
            if page.text.contains("&lt;script&gt;alert") { shown += 1 }
            let policy = page.fields["content-security-policy"] ?? ""
            #expect(policy.contains("script-src 'self'") && !policy.contains("unsafe-inline"), "\(path)")
        }
        #expect(shown >= 5)
    }

    /// Looked for in octets, as browsers read them: Swift joins a quote and an accent into one character.
    private static func has(_ text: String, _ page: RawResponse) -> Bool {
        let wanted = Array(text.utf8)
        return page.body.indices.contains { page.body[$0...].starts(with: wanted) }
    }

    @Test("is shown as text also where a scalar beside it makes it another character for Swift")
    func joined() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let (cookie, _) = try await server.signIn("ana")
        // An acute accent behind, and an Arabic number sign before.
        let attack = "a\"\u{301} onfocus=x \u{600}<b>\u{301}"
        var body = BeaconDocument()
        body.name = LocalizedText(attack, in: .english)
        let beacon = try await server.store.save(
            .beacon(body), as: nil, over: nil, by: Author("ben"), at: server.clock.now)
        for path in ["/search?q=\(CuratorServer.escaped(attack))", "/beacons", "/beacons/\(beacon.id)", "/history"] {
            let page = try await server.ask(path, ["Cookie: \(cookie)"])
            #expect(Self.has("a&quot;\u{301} onfocus=x \u{600}&lt;b&gt;\u{301}", page), "\(path)")
            for raw in ["\"\u{301}", "\u{600}<", ">\u{301}"] { #expect(!Self.has(raw, page), "\(path)") }
        }
    }
}
