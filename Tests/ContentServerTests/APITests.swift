import ContentServer
import Curation
import CurationStore
import Foundation
import TestSupport
import Testing

@Suite("The managing API", .timeLimit(.minutes(10)))
struct APITests {
    @Test("needs a token with the scope of each operation", arguments: ManagingRoutes.table.map(\.operation))
    func scopes(operation: String) async throws {
        let route = try #require(ManagingRoutes.table.first { $0.operation == operation })
        let server = try await CuratorServer()
        let path = route.path.replacing("{id}", with: "abc").replacing("{number}", with: "1")
            .replacing("{host}", with: "x").replacing("{name}", with: "x")
        let method = route.method.rawValue.uppercased()
        #expect(try await server.api(method, path, nil).status == 401)
        #expect(try await server.api(method, path, "invented").status == 401)
        for scope in APIToken.Scope.allCases where !route.scope.isCovered(by: [scope]) {
            #expect(try await server.api(method, path, try await server.token([scope])).status == 403)
        }
        let right = try await server.token([route.scope])
        let status = try await server.api(method, path, right, ["If-Match: *"], body: "{}").status
        #expect(status != 401 && status != 403 && status < 500)
    }

    @Test("refuses a token that has expired")
    func expiry() async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.read], expiresIn: 60)
        #expect(try await server.api("GET", "/beacons", token).status == 200)
        server.clock.advance(61)
        #expect(try await server.api("GET", "/beacons", token).status == 401)
    }

    @Test("saves over the version that was read, and over no other")
    func versions() async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit])
        let made = try await server.api("POST", "/beacons", token, body: "{\"name\":{\"en\":\"Whale\"}}")
        #expect(made.status == 201)
        let path = try #require(made.fields["location"]).replacing("/api/v1", with: "")
        let tag = try #require(made.fields["etag"])
        let body = "{\"name\":{\"en\":\"Blue whale\"}}"
        #expect(try await server.api("PUT", path, token, body: body).status == 428)
        let saved = try await server.api("PUT", path, token, ["If-Match: \(tag)"], body: body)
        #expect(saved.status == 200)
        let late = try await server.api("PUT", path, token, ["If-Match: \(tag)"], body: "{\"name\":{\"en\":\"Orca\"}}")
        #expect(late.status == 412)
        #expect(try await server.api("GET", path, token).text.contains("Blue whale"))
        #expect(try await server.api("DELETE", path, token, ["If-Match: \(tag)"]).status == 412)
        #expect(try await server.api("DELETE", path, token, ["If-Match: *"]).status == 204)
        #expect(try await server.api("POST", path + "/restore", token).status == 200)
    }

    @Test("names the fields of a document that have mistakes")
    func mistakes() async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit])
        let response = try await server.api(
            "POST", "/beacons", token, body: "{\"coordinates\":{\"latitude\":91,\"longitude\":0}}")
        #expect(response.status == 422)
        #expect(response.text.contains("\"field\":\"coordinates"))
    }

    @Test("takes nothing that is not JSON, too large, too deep, or of another shape")
    func bodies() async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit])
        let deep = String(repeating: "[", count: 100_000)
        for body in ["", "{", "[]", "null", "{\"major\":70000}", "{\"uuid\":\"x\"}", deep, "{\"name\":" + deep] {
            #expect(try await server.api("POST", "/beacons", token, body: body).status == 400, "\(body.prefix(20))")
        }
        let large = "{\"note\":\"" + String(repeating: "a", count: 1 << 20) + "\"}"
        #expect(try await server.api("POST", "/beacons", token, body: large).status == 413)
        let form = try await server.ask(
            "/api/v1/beacons", method: "POST",
            ["Authorization: Bearer \(token)", "Content-Type: application/x-www-form-urlencoded"], body: "a=b")
        #expect(form.status == 415)
    }

    @Test(
        "refuses keys that it does not know, and names those that there are",
        arguments: [
            ("POST", "/beacons", #"{"titel":"x"}"#, "titel: the key is unknown; known are coordinates, floor, major"),
            (
                "POST", "/images", #"{"page":{"titel":{"en":"x"}}}"#,
                "page.titel: the key is unknown; known are body, title"
            ),
            (
                "POST", "/images", #"{"contents":[{"side":"left","kind":"map","lable":{"en":"x"}}]}"#,
                "contents[0].lable: the key is unknown"
            ),
            (
                "PUT", "/uncategorized/images", #"{"images":[],"image":[]}"#,
                "image: the key is unknown; known are images"
            ),
            ("PUT", "/site", #"{"document":{"title":"x"}}"#, "document: the key is unknown"),
            ("POST", "/revisions", #"{"notes":"x"}"#, "notes: the key is unknown; known are documents, note"),
            ("PATCH", "/accounts/ana", #"{"enable":false}"#, "enable: the key is unknown; known are enabled, role"),
            (
                "POST", "/tokens", #"{"name":"x","scopes":["read"],"expires":"2030-01-01T00:00:00Z"}"#,
                "expires: the key is unknown; known are expires_at, name, scopes"
            ),
        ])
    func unknownKeys(method: String, path: String, body: String, problem: String) async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .viewer)
        let token = try await server.token([.admin])
        let response = try await server.api(method, path, token, ["If-Match: *"], body: body)
        #expect(response.status == 400 && response["error"]?.hasPrefix("body: \(problem)") == true, "\(response.text)")
    }

    @Test("takes back what it gives")
    func back() async throws {
        let server = try await CuratorServer()
        try await server.account("ana", .viewer)
        let token = try await server.token([.admin])
        let text = #"{"en":"x"}"#
        let paragraph = #"{"type":"paragraph","content":[{"type":"text","text":"x","marks":[{"type":"bold"}]}]}"#
        let image = """
            {"rank":1,"title":\(text),"width_cm":10,"category":"x","tags":["x"],"transcript":\(text),"contents":\
            [{"side":"left","kind":"map","label":\(text),"action":{"kind":"navigate","value":"48.1,11.5",\
            "name":\(text),"description":\(text),"overlay_text":\(text)}}],"page":{"title":\(text),\
            "body":{"en":{"type":"doc","content":[\(paragraph)]}}}}
            """
        let beacon = #"{"name":{"en":"x"},"major":1,"coordinates":{"latitude":1,"longitude":2}}"#
        var paths = ["/site"]
        for (path, body) in [("/images", image), ("/beacons", beacon)] {
            let made = try await server.api("POST", path, token, body: body)
            #expect(made.status == 201, "\(made.text)")
            paths.append("\(path)/\(made["id"] ?? "")")
        }
        for path in paths {
            let stored = try await server.api("GET", path, token).body
            let object = try #require(try JSONSerialization.jsonObject(with: Data(stored)) as? [String: Any])
            let document = try JSONSerialization.data(withJSONObject: try #require(object["document"]))
            let body = String(decoding: document, as: UTF8.self)
            let saved = try await server.api("PUT", path, token, ["If-Match: *"], body: body)
            #expect(saved.status == 200, "\(saved.text)")
        }
        // Of an account, PATCH takes everything that is given, and changes what can be changed.
        let list = try await server.api("GET", "/accounts", token).text
        let account = try #require(list.firstMatch(of: /\[(\{[^\]]*\})\]/)).output.1
        let saved = try await server.api("PATCH", "/accounts/ana", token, body: String(account))
        #expect(saved.status == 200, "\(saved.text)")
    }

    @Test(
        "takes SQL as the text that it is",
        arguments: ["'; DROP TABLE document; --", "\" OR 1=1 --", "%_\\", "a* NEAR("])
    func sql(text: String) async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit])
        let body = String(decoding: try JSONEncoder().encode(["name": ["en": text]]), as: UTF8.self)
        #expect(try await server.api("POST", "/beacons", token, body: body).status == 201)
        let query = "/beacons?text=\(CuratorServer.escaped(text))"
        #expect(try await server.api("GET", query, token).status == 200)
        #expect(try await server.api("GET", "/beacons", token)["total"] == "1")
        let state = "/beacons?state=\(CuratorServer.escaped(text))"
        #expect(try await server.api("GET", state, token).status == 400)
    }

    @Test("says which methods a path has")
    func methods() async throws {
        let server = try await CuratorServer()
        let response = try await server.api("PATCH", "/beacons", nil)
        #expect(response.status == 405)
        #expect(response.fields["allow"] == "GET, HEAD, POST")
    }

    @Test("is described by a document that has exactly the operations of the router")
    func document() async throws {
        let server = try await CuratorServer()
        let response = try await server.ask("/api/v1/openapi.json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
        let paths = try #require(object["paths"] as? [String: [String: Any]])
        let described = Set(paths.flatMap { path, operations in operations.keys.map { "\($0) \(path)" } })
        #expect(described == Set(ManagingRoutes.table.map { "\($0.method.rawValue) \($0.path)" }))
        // What the router does not know, it answers with 404 and a body; a known route asks for a token first.
        for (path, operations) in paths {
            let example = path.replacing("{id}", with: "abc").replacing("{number}", with: "1")
                .replacing("{host}", with: "x").replacing("{name}", with: "x")
            for method in operations.keys {
                let status = try await server.api(method.uppercased(), example, nil).status
                #expect(status == 401, "\(method) \(path)")
            }
        }
    }

    @Test("has no reference in its description that leads nowhere")
    func references() throws {
        let text = String(decoding: OpenAPIDocument.json, as: UTF8.self)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let components = try #require(object["components"] as? [String: [String: Any]])
        let known = Set(components.flatMap { kind, names in names.keys.map { "#/components/\(kind)/\($0)" } })
        let used = text.matches(of: /"\$ref":"([^"]+)"/).map { String($0.output.1) }
        #expect(used.count > 50)
        #expect(used.filter { !known.contains($0) } == [])
    }

    @Test("publishes, rolls back and lists what was done")
    func publishing() async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.edit, .publish])
        let body =
            "{\"name\":{\"en\":\"Whale\"},\"uuid\":\"636F3F8F-6491-4BEE-95F7-D8CC64A863B5\",\"major\":1,\"minor\":2}"
        #expect(try await server.api("POST", "/beacons", token, body: body).status == 201)
        #expect(try await server.api("GET", "/pending", token).text.contains("\"added\""))
        let first = try await server.api("POST", "/revisions", token, body: "{\"note\":\"first\"}")
        #expect(first.status == 201 && first["number"] == "1")
        let again = try await server.api("POST", "/revisions/1/rollback", token, body: "{}")
        #expect(again.status == 201 && again["number"] == "2")
        #expect(try await server.api("GET", "/changes", token).text.contains("\"rolled_back\""))
        let list = try await server.ask("/v1/site.json")
        #expect(list.status == 200 && list["revision"] == "2")
    }

    @Test("a list of long documents ends after 4 MiB, and goes on by the number of those that came")
    func largePages() async throws {
        let server = try await CuratorServer()
        let token = try await server.token([.read])
        for number in 10..<40 {
            var body = BeaconDocument()
            body.name = LocalizedText("B\(number)", in: .english)
            body.note = String(repeating: "a", count: 200_000)
            _ = try await server.store.save(
                .beacon(body), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        }
        var names: [String] = []
        var parts: [Int] = []
        while names.count < 30 {
            let page = try await server.api("GET", "/beacons?limit=500&offset=\(names.count)", token)
            #expect(page.status == 200 && page["total"] == "30")
            // The documents, and what each answer says of them besides.
            #expect(page.body.count <= (4 << 20) + 30 * 512)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(page.body)) as? [String: Any])
            let documents = try #require(object["documents"] as? [[String: Any]])
            try #require(!documents.isEmpty)
            parts.append(documents.count)
            for document in documents {
                let name = (document["document"] as? [String: Any])?["name"] as? [String: String]
                names.append(try #require(name?["en"]))
            }
        }
        #expect(names == (10..<40).map { "B\($0)" })
        #expect(parts == [20, 10])
    }
}
