import Beacon
import Fleet
import FleetServer
import Foundation
import Reports
import Rooms
import TestSupport
import Testing

@Suite("The fleet over HTTP", .timeLimit(.minutes(10)))
struct RouteTests {
    @Test("has all rooms, with names, and why there is none")
    func rooms() async throws {
        try await ServedFleet.with(names: KnownBeacons(names: [Known.globe: "Star \u{202E}Globe"])) { fleet in
            #expect(try await fleet.ask("/v1/rooms").status == 503)
            fleet.hub.publish(Known.snapshot())
            let rooms = try #require(try await fleet.json("/v1/rooms")["rooms"] as? [[String: Any]])
            #expect(rooms.map { $0["room"] as? String } == ["Hall 1", nil])
            #expect(rooms.map { $0["unknown"] as? String } == [nil, "not heard"])
            #expect(rooms[0]["probability"] as? Double == 0.95)
            #expect(rooms[0]["since"] as? String == "1970-01-01T00:16:40.000000Z")
            #expect(rooms[0]["name"] as? String == "Star \u{202E}Globe")
            let some = try #require(try await fleet.json("/v1/rooms?beacon=1.2")["rooms"] as? [[String: Any]])
            #expect(some.map { $0["minor"] as? Int } == [2])
            #expect(try await fleet.ask("/v1/rooms?beacon=Nobody").status == 404)
        }
    }

    @Test("has the health of beacons: problems, since when, and why")
    func health() async throws {
        try await ServedFleet.with { fleet in
            fleet.hub.publish(Known.snapshot())
            let beacons = try #require(try await fleet.json("/v1/health")["beacons"] as? [[String: Any]])
            #expect(beacons.map { ($0["problems"] as? [Any])?.count } == [1, 0])
            let some = try #require(try await fleet.json("/v1/health?problems=1")["beacons"] as? [[String: Any]])
            #expect(some.map { $0["battery"] as? Int } == [12])
            let problem = try #require((some[0]["problems"] as? [[String: Any]])?.first)
            #expect(problem["kind"] as? String == "weak")
            #expect(problem["evidence"] as? String == "11 dB less than usual")
        }
    }

    @Test("has the scanners: state, place, version, clock")
    func scanners() async throws {
        try await ServedFleet.with { fleet in
            fleet.hub.publish(Known.snapshot(state: .blind))
            let scanners = try #require(try await fleet.json("/v1/scanners")["scanners"] as? [[String: Any]])
            #expect(scanners.map { $0["state"] as? String } == ["blind", "gone"])
            #expect(scanners.map { $0["x"] as? Double } == [3.5, nil])
            #expect(scanners.map { $0["room"] as? String } == ["Hall 1", Known.gazelle.name])
            #expect(scanners[0]["clock_ms"] as? Int == -12)
        }
    }

    @Test(
        "is well while rooms are resolved",
        arguments: [
            (status: "starting", code: 503), ("ok", 200), ("late", 503), ("blind", 503), ("disconnected", 503),
        ] as [(status: String, code: Int)])
    func health(status: String, code: Int) async throws {
        try await ServedFleet.with { fleet in
            var snapshot = Known.snapshot(state: status == "blind" ? .blind : .ok)
            snapshot.isConnected = status != "disconnected"
            if status == "late" { snapshot.time = snapshot.time.advanced(bySeconds: 60) }
            if status == "starting" { snapshot.second = nil }
            fleet.hub.publish(snapshot)
            let answer = try await fleet.ask("/healthz")
            #expect(answer.status == code)
            #expect(answer.text.contains(#""status":"\#(status)""#), "\(answer.text)")
            #expect(try await fleet.json("/v1/status")["status"] as? String == status)
        }
    }

    @Test("events are numbered, and a client that comes back gets what it has missed")
    func events() async throws {
        try await ServedFleet.with { fleet in
            fleet.hub.publish(Known.snapshot())
            fleet.hub.publish(Known.snapshot(globe: Known.gazelle))
            fleet.hub.publish(Known.snapshot(globe: nil, state: .blind))
            let stream = try RawConnection(port: Int(fleet.port))
            await stream.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1000000000\r\n\r\n")
            try await stream.waitUntil("what was missed has come") { RawEvents($0).data.count == 2 }
            #expect(RawEvents(stream).ids == [1_000_000_001, 1_000_000_002])
            #expect(RawEvents(stream).kinds == ["room", "scanner"])
            #expect(RawEvents(stream).data[0].contains(#""previous":{"room":"قاعة \"الغزال\"","floor":-1}"#))
            fleet.hub.publish(Known.snapshot(state: .blind))
            try await stream.waitUntil("what happens comes") { RawEvents($0).data.count == 3 }
            #expect(!RawEvents(stream).kinds.contains("rooms"))
        }
    }

    @Test("states have all answers first, and then those that have changed")
    func states() async throws {
        try await ServedFleet.with { fleet in
            fleet.hub.publish(Known.snapshot())
            let stream = try RawConnection(port: Int(fleet.port))
            await stream.send("GET /v1/events?states=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            /// How many answers each event has. One without answers also comes where nothing is new for a while.
            func counts() -> [Int] {
                RawEvents(stream).data.filter { $0.contains(#""rooms":"#) }
                    .map { $0.components(separatedBy: #""uuid""#).count - 1 }
            }
            /// Those of the events with answers.
            func news() -> [Int] { counts().filter { $0 > 0 } }
            try await stream.waitUntil("the first has come") { _ in counts().first == 2 }
            fleet.hub.publish(Known.snapshot())
            try await stream.waitUntil("nothing has changed") { _ in counts().count > 1 }
            #expect(news() == [2])
            fleet.hub.publish(Known.snapshot(globe: nil))
            try await stream.waitUntil("one has changed") { _ in news().count > 1 }
            #expect(news() == [2, 1])
            var fewer = Known.snapshot(globe: nil)
            fewer.rooms.removeLast()
            fleet.hub.publish(fewer)
            try await stream.waitUntil("one that is no longer followed is unknown") { _ in news().count > 2 }
            #expect(news() == [2, 1, 1])
            let told = counts().count
            try await stream.waitUntil("also without news the page sees that the program is there") { _ in
                counts().count > told
            }
            #expect(news() == [2, 1, 1])
        }
    }

    @Test("history is reported in every format, or said to be none")
    func history() async throws {
        try await ServedFleet.with { fleet in
            for path in ["/v1/history", "/v1/heat"] {
                let status = try await fleet.ask(path).status
                #expect(status == 404)
            }
        }
        let folder = try TemporaryFolder()
        let store = try RoomStore(folder: "\(folder)")
        let now = Timestamp(seconds: Date().timeIntervalSince1970.rounded(.down))
        try store.write(
            [
                RoomStay(
                    beacon: Known.globe, room: ReportedRoom(name: "Hall 1", floor: 0),
                    span: now.advanced(bySeconds: -600)...now.advanced(bySeconds: -300))
            ], dwell: [DwellMap.Cell(hour: Int64(now.seconds) / 3600, floor: 0, x: 2, y: 3): 60])
        try await ServedFleet.with(history: "\(folder)") { fleet in
            let rooms = try #require(try await fleet.json("/v1/history?since=1h")["rooms"] as? [[String: Any]])
            #expect(rooms.map { $0["dwell_s"] as? Int } == [300])
            let heat = try await fleet.json("/v1/heat?since=1h")
            #expect((heat["rooms"] as? [[String: Any]])?.map { $0["dwell_s"] as? Int } == [300])
            #expect((heat["metres"] as? [[Int]])?.map { Array($0.prefix(3)) } == [[0, 2, 3]])
            #expect(try await fleet.ask("/v1/history?format=csv").text.contains("Hall 1"))
            #expect(try await fleet.ask("/v1/history?format=html").text.hasPrefix("<!DOCTYPE html>"))
            for (path, status) in [
                ("?format=pdf", 400), ("?since=soon", 400), ("?beacon=9.9", 404), ("?beacon=1.1", 200),
            ] {
                #expect(try await fleet.ask("/v1/history\(path)").status == status, "\(path)")
            }
        }
    }

    @Test("the page loads nothing from elsewhere, and its files are there")
    func page() async throws {
        try await ServedFleet.with { fleet in
            let index = try await fleet.ask("/")
            #expect(index.status == 200)
            let policy = try #require(index.fields["content-security-policy"])
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            let named = index.text.matches(of: #/(?:href|src)="(page\/[^"]+)"/#).map { String($0.1) }
            #expect(named.count >= 4)
            for path in named + ["page/dom.js", "page/feed.js", "page/plan.js", "page/press.js", "page/words.js"] {
                let file = try await fleet.ask("/" + path, fields: ["Accept-Encoding: gzip"])
                #expect(file.status == 200, "\(path)")
            }
            #expect(try await fleet.ask("/page/..%2f..%2fetc%2fpasswd").status == 404)
        }
    }

    @Test("plans are listed and served, sandboxed")
    func plans() async throws {
        let folder = try TemporaryFolder()
        try "- {floor: -1, name: Cellar, picture: c.png, width_m: 12.5}"
            .write(toFile: "\(folder)/plans.yaml", atomically: true, encoding: .utf8)
        try pixel.write(to: URL(fileURLWithPath: "\(folder)/c.png"))
        try await ServedFleet.with(plans: try PlanFolder("\(folder)")) { fleet in
            let plans = try #require(try await fleet.json("/v1/plans")["plans"] as? [[String: Any]])
            #expect(plans.map { $0["width_m"] as? Double } == [12.5])
            #expect((try await fleet.json("/v1/plans")["rooms"] as? [Any])?.isEmpty == true)
            var drawn = Known.snapshot()
            drawn.outlines = [
                RoomOutline(
                    room: Known.gazelle, corners: [Position(x: 0, y: 0), Position(x: 4.5, y: 0), Position(x: 4, y: 3)])
            ]
            fleet.hub.publish(drawn)
            let rooms = try #require(try await fleet.json("/v1/plans")["rooms"] as? [[String: Any]])
            #expect(rooms.map { $0["corners"] as? [[Double]] } == [[[0, 0], [4.5, 0], [4, 3]]])
            let picture = try await fleet.ask("/\(try #require(plans[0]["picture"] as? String))")
            #expect(picture.status == 200)
            #expect(picture.fields["content-type"] == "image/png")
            #expect(picture.fields["content-security-policy"]?.contains("sandbox") == true)
            #expect(Data(picture.body) == pixel)
            for floor in ["0", "x", "99999999999999999999"] {
                #expect(try await fleet.ask("/v1/plans/\(floor)").status == 404)
            }
        }
    }

    @Test("needs the token where there is one, and other names of the host are refused")
    func access() async throws {
        try await ServedFleet.with(token: "secret") { fleet in
            #expect(try await fleet.ask("/v1/status").status == 401)
            #expect(try await fleet.ask("/v1/status", fields: ["Authorization: Bearer secret"]).status == 200)
            let opened = try await fleet.ask("/?token=secret")
            #expect(opened.status == 303)
            #expect(opened.fields["set-cookie"]?.hasPrefix("beacon-fleet_token=") == true)
            let other = try await RawConnection(port: Int(fleet.port)).ask("/v1/status", fields: ["Host: evil.example"])
            #expect(other.status == 421)
            #expect(other.text.contains("--http-name"))
        }
    }

    @Test("changes nothing: other methods are refused", arguments: ["POST", "PUT", "DELETE"])
    func readOnly(method: String) async throws {
        try await ServedFleet.with { fleet in
            let status = try await fleet.ask("/v1/rooms", method: method).status
            #expect(status == 405)
        }
    }
}
