import ContentServer
import CurationStore
import TestSupport
import Testing

/// What the page Import and export says of files that it cannot take.
@Suite("The page Import and export", .timeLimit(.minutes(10)))
struct ExchangePageTests {
    /// The page's answer to a file.
    private static func answer(
        _ server: CuratorServer, _ kind: String, _ name: String, _ content: String, _ fields: [String] = []
    ) async throws -> RawResponse {
        let (cookie, csrf) = try await server.signIn("ana")
        func part(_ head: String, _ body: String) -> String {
            "--XX\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(body)\r\n"
        }
        let body =
            part("name=\"csrf\"", csrf) + part("name=\"kind\"", kind)
            + part("name=\"archive\"; filename=\"\(name)\"", content) + "--XX--\r\n"
        return try await server.ask(
            "/exchange", method: "POST",
            ["Cookie: \(cookie)", "Content-Type: multipart/form-data; boundary=XX"] + fields, body: body)
    }

    /// Without the page around it.
    private static func alert(_ page: String) -> String {
        page.split(separator: "role=\"alert\">").dropFirst().first.map { String($0.prefix { $0 != "<" }) } ?? ""
    }

    @Test(
        "says of a wrong archive which file to choose, and names no command",
        arguments: ["no archive at all", String(repeating: "PK", count: 40), ""])
    func archive(content: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let answer = try await Self.answer(server, "zip", "whales.zip", content)
        let words = Self.alert(answer.text)
        #expect(answer.status == 422)
        #expect(words.contains("whales.zip") && words.contains("“Everything as a ZIP”"), "\(words)")
        #expect(!words.contains("beacon-content-server"), "\(words)")
        let german = try await Self.answer(server, "zip", "whales.zip", content, ["Accept-Language: de"])
        #expect(Self.alert(german.text).contains("„Alles als ZIP“"))
    }

    @Test("says of an archive that is sent as a table where it belongs", arguments: ["beacons", "texts"])
    func table(kind: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .editor)
        let answer = try await Self.answer(server, kind, "whales.zip", "PK\u{3}\u{4}")
        #expect(answer.status == 422)
        #expect(Self.alert(answer.text).contains("choose “Everything as a ZIP”"))
    }
}
