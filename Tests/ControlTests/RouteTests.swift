import Beacon
import Control
import Events
import Foundation
import Health
import TestSupport
import Testing

@Suite("What the control API answers", .timeLimit(.minutes(10)))
struct RouteTests {
    @Test("tells status, ranking and regions")
    func answers() async throws {
        try await TestServer.with { server in
            server.hub.names.add([lobby: "Lobby"])
            server.hub.publish(.listening(source: "sim", how: "extended commands"))
            server.rank()
            let connection = try server.connect()
            let status = try await connection.ask("/v1/status")
            #expect(status.status == 200)
            #expect(status.fields["content-type"] == "application/json")
            #expect(status.fields["x-content-type-options"] == "nosniff")
            #expect(status.fields["date"]?.hasSuffix("GMT") == true)
            #expect(status["version"] == "1.2.3")
            #expect(status["scanner"] == "ok")
            #expect(status.text.contains(#""nearest":{"uuid":"\#(lobby.uuid)","major":1,"minor":2,"name":"Lobby"}"#))
            #expect(status.text.contains(#"{"source":"sim","state":"listening""#))
            #expect(status.text.contains(#""parts":[]"#))
            server.hub.publish(.trouble(part: "mqtt", problem: "nothing listens there", retry: 1))
            let failing = try await connection.ask("/v1/status").text
            #expect(
                failing.contains(
                    #""parts":[{"part":"mqtt","state":"failed","problem":"nothing listens there","since":"2023-11-14T22:15:00.000000Z"}]"#
                ))
            // The same connection serves the next.
            let ranging = try await connection.ask("/v1/ranging")
            #expect(ranging.text.hasPrefix(#"{"time":"2023-11-14T22:15:00.000000Z","scanner":"ok","nearest":{"#))
            for (query, count) in [("Lobby", 1), ("1.2", 1), ("9.9", 0), ("9.9&beacon=lobby", 1)] {
                let some = try await connection.ask("/v1/ranging?beacon=\(query)")
                #expect(some.status == 200 && some.text.matches(of: /"rank":/).count == count, "\(some.text)")
            }
            server.hub.names.add([lobby: "Steam Engine"])
            for query in ["Steam+Engine", "Steam%20Engine"] {
                let some = try await connection.ask("/v1/ranging?beacon=\(query)")
                #expect(some.status == 200 && some.text.contains(#""name":"Steam Engine""#), "\(some.text)")
            }
            // A beacon that the configuration names, and that is not on the air.
            let other = BeaconID(uuid: lobby.uuid, major: 9, minor: 9)
            server.hub.names.configure(KnownBeacons([BeaconKey(other).pair: .init(name: "Star Globe")]))
            for path in ["/v1/ranging", "/v1/health"] {
                let away = try await connection.ask("\(path)?beacon=Star%20Globe")
                #expect(away.status == 200 && away.text.contains(#""beacons":[]"#), "\(away.text)")
            }
            let regions = try await connection.ask("/v1/regions")
            #expect(regions.text.contains(#""region":"hall""#) && regions.text.contains(#""inside":true"#))
        }
    }

    @Test("a time takes an offset with a plus that stands for itself, and one that is escaped")
    func times() async throws {
        let route = ControlRoute(.get, "/v1/time", "The time") { .json(#""\#($0.time("since") ?? "none")""#) }
        try await TestServer.with(more: [route]) { server in
            let connection = try server.connect()
            for (query, time) in [
                ("2026-01-01T04:00:00+01:00", "2026-01-01T04:00:00+01:00"),
                ("2026-01-01+04:00:00%2B01:00", "2026-01-01 04:00:00+01:00"),
                ("2026-01-01T04:00:00Z", "2026-01-01T04:00:00Z"), ("24h", "24h"), ("", ""),
            ] {
                let answer = try await connection.ask("/v1/time?since=\(query)")
                #expect(answer.text.contains("\"\(time)\""), "\(answer.text)")
            }
        }
    }

    @Test("the health of beacons is told with the evidence, and refused where nobody looks at it")
    func beaconsHealth() async throws {
        try await TestServer.with { server in
            let connection = try server.connect()
            let before = try await connection.ask("/v1/health")
            #expect(before.status == 200 && before.text.contains(#""beacons":[]"#))
            server.hub.names.add([lobby: "Lobby"])
            var health = BeaconHealth(
                beacon: lobby, level: -71, interval: 0.505, battery: 80, lastHeard: 60, isLearned: true)
            health.problems = [HealthProblem(kind: .weak, since: 0, evidence: "12 dB weaker than usual")]
            server.hub.publish(.known([health]))
            let text = try await connection.ask("/v1/health").text
            #expect(
                text.contains(
                    #""name":"Lobby","state":"problem","problems":[{"kind":"weak","since":"1970-01-01T00:00:00.000000Z","evidence":"12 dB weaker than usual","problem":"weak"}],"level":-71,"interval_s":0.505,"battery":80,"last_heard":"1970-01-01T00:01:00.000000Z""#
                ))
            for (query, count) in [("Lobby", 1), ("9.9", 0)] {
                let some = try await connection.ask("/v1/health?beacon=\(query)")
                #expect(some.status == 200 && some.text.matches(of: /"kind":/).count == count, "\(some.text)")
            }
            server.hub.publish(.off)
            let off = try await connection.ask("/v1/health")
            #expect(off.status == 404 && off.text.contains("health.enabled"))
        }
    }

    @Test("healthz says why nothing can be heard")
    func health() async throws {
        try await TestServer.with { server in
            let connection = try server.connect()
            let before = try await connection.ask("/healthz")
            #expect(before.status == 503 && before["status"] == "starting")
            let status = try await connection.ask("/v1/ranging").status
            #expect(status == 503)
            server.rank()
            let well = try await connection.ask("/healthz")
            #expect(well.status == 200 && well["status"] == "ok")
            server.hub.publish(.lost(source: "hci0", problem: "the adapter is gone", retry: 1))
            server.rank(isBlind: true)
            let blind = try await connection.ask("/healthz")
            #expect(blind.status == 503 && blind["status"] == "blind")
            #expect(blind["reason"] == "hci0: the adapter is gone")
        }
    }

    @Test(
        "refuses in JSON, with what to do",
        arguments: [
            ("GET", "/v1/nothing", 404), ("GET", "/../../etc/passwd", 404), ("GET", "//", 404),
            ("POST", "/v1/status", 405),
            ("DELETE", "/v1/events", 405), ("PROPFIND", "/v1/status", 405), ("GET", "/v1/content/sync", 405),
            ("GET", "/v1/explain/x/1/2", 400), ("GET", "/v1/explain/\(lobby.uuid)/1/70000", 400),
            ("GET", "/v1/ranging?beacon=Cafeteria", 404), ("GET", "/v1/ranging?beacon=", 400),
            ("GET", "/v1/explain", 400), ("GET", "/v1/explain?beacon=Cafeteria", 404),
            ("GET", "/v1/explain?beacon=1.70000", 400), ("GET", "/v1/ranging?beacon=1.70000", 400),
            ("GET", "/v1/explain/\(lobby.uuid)/1/2", 404), ("GET", "/v1/content", 404),
            ("POST", "/v1/content/prune", 404),
            ("GET", "/v1/events?after=yesterday", 400), ("GET", "/v1/events?after=9007199254740993", 400),
            ("GET", "/v1/events?states=2", 400), ("GET", "/v1/events?states=perhaps", 400),
            ("GET", "/v1/%zz?%zz=%", 404),
        ])
    func refusals(method: String, path: String, status: Int) async throws {
        try await TestServer.with { server in
            let answer = try await server.connect().ask(path, method: method)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.fields["content-type"] == "application/json")
            #expect(answer["error"]?.isEmpty == false && answer["what_to_do"]?.isEmpty == false, "\(answer.text)")
            if status == 405 { #expect(answer.fields["allow"] != nil) }
        }
    }

    @Test("a request names at most 64 beacons")
    func manyBeacons() async throws {
        try await TestServer.with { server in
            server.rank()
            let connection = try server.connect()
            for path in ["/v1/ranging", "/v1/health"] {
                let names = (1...65).map { "beacon=1.\($0)" }
                let most = try await connection.ask("\(path)?\(names.dropLast().joined(separator: "&"))")
                #expect(most.status == 200, "\(most.text)")
                let more = try await connection.ask("\(path)?\(names.joined(separator: "&"))")
                #expect(more.status == 400 && more["error"]?.contains("65") == true, "\(more.text)")
                #expect(more["what_to_do"]?.isEmpty == false)
            }
        }
    }

    @Test("HEAD gives the fields alone", arguments: ["/v1/status", "/healthz", "/v1/events", "/v1/nothing"])
    func head(path: String) async throws {
        try await TestServer.with { server in
            let connection = try server.connect()
            let answer = try await connection.ask(path, method: "HEAD")
            #expect(answer.fields["content-type"] != nil)
            // A stream has no length, and 0 would be that of GET (RFC 9110, section 8.6).
            #expect((answer.fields["content-length"] == nil) == (path == "/v1/events"))
            #expect(answer.fields["content-length"] != "0")
            // What follows is the next answer, and no body.
            let status = try await connection.ask("/v1").status
            #expect(status == 200)
            #expect(answer.body.isEmpty)
        }
    }

    @Test("the OpenAPI document has every route, with its answers, parameters and forms")
    func description() async throws {
        try await TestServer.with { server in
            let connection = try server.connect()
            let body = try await connection.ask("/v1/openapi.json").body
            let document = try #require(JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
            #expect(document["openapi"] as? String == "3.1.0")
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let routes = try #require(
                JSONSerialization.jsonObject(with: Data(try await connection.ask("/v1").body))
                    as? [String: [[String: String]]])
            for route in try #require(routes["routes"]) {
                let path = try #require(route["path"])
                let operation = try #require(
                    paths[path]?[route["method"]?.lowercased() ?? ""] as? [String: Any], "\(path)")
                #expect(
                    (operation["responses"] as? [String: Any])?.count ?? 0 > 1, "\(path) says nothing of its answer")
                let variable = path.split(separator: "/").count { $0.hasPrefix("{") }
                let parameters = operation["parameters"] as? [[String: Any]] ?? []
                #expect(parameters.count { $0["in"] as? String == "path" } == variable, "\(path)")
            }
            // Every form that is named is there.
            let text = String(decoding: body, as: UTF8.self)
            let forms = try #require((document["components"] as? [String: [String: Any]])?["schemas"])
            for name in text.matches(of: /#\/components\/schemas\/(\w+)/).map({ String($0.output.1) }) {
                #expect(forms[name] != nil, "\(name)")
            }
        }
    }

    @Test("docs/api.md has every route, and its help is a line")
    func documentation() async throws {
        let page = try String(contentsOfFile: "\(Programs.project)/docs/api.md", encoding: .utf8)
        try await TestServer.with { server in
            struct Index: Decodable {
                struct Route: Decodable {
                    var method: String
                    var path: String
                    var help: String
                }
                var routes: [Route]
            }
            let index = try JSONDecoder().decode(Index.self, from: Data(try await server.connect().ask("/v1").body))
            #expect(index.routes.count > 10)
            for route in index.routes {
                #expect(page.contains("`\(route.method) \(route.path)`"), "\(route.path)")
                #expect(!route.help.isEmpty && !route.help.contains("\n"))
            }
        }
    }
}
