import CurationStore
import TestSupport
import Testing

@Suite("Reports of devices", .timeLimit(.minutes(10)))
struct ReportTests {
    private static let report = """
        {"format":1,"host":"hall-1","version":"0.1.0","period_start":"2026-05-28T20:00:00Z",\
        "period_end":"2026-05-28T20:01:00Z","revision":3,"complete":true,"missing":0,"problems":[],"scanner":"ok",\
        "beacons":[],"dwell":[{"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5","major":1,"minor":2,"revision":0,\
        "seconds":12.5,"visits":2}]}
        """

    private func send(_ server: CuratorServer, _ token: String?, _ body: String = report) async throws -> Int {
        var fields = ["Content-Type: application/json"]
        if let token { fields.append("Authorization: Bearer \(token)") }
        return try await server.ask("/v1/reports", method: "POST", fields, body: body).status
    }

    @Test("are taken with a token for reports only, and counted once")
    func taken() async throws {
        let server = try await CuratorServer()
        #expect(try await send(server, nil) == 401)
        #expect(try await send(server, try await server.token([.read, .edit, .publish, .admin])) == 403)
        let token = try await server.token([.report])
        // Only of beacons that curators know.
        let beacon = "{\"uuid\":\"636f3f8f-6491-4bee-95f7-d8cc64a863b5\",\"major\":1,\"minor\":2}"
        #expect(try await server.api("POST", "/beacons", try await server.token([.edit]), body: beacon).status == 201)
        #expect(try await send(server, token) == 204)
        #expect(try await send(server, token) == 204)
        let devices = try await server.api("GET", "/devices", try await server.token([.read]))
        #expect(devices.text.contains("\"host\":\"hall-1\""))
        let dwell = try await server.store.dwell(DwellQuery(days: 0...100_000))
        #expect(dwell.map(\.visits) == [2])
        #expect(try await server.api("GET", "/devices", token).status == 403)
    }

    @Test("are refused if they are no reports", arguments: ["", "{}", "[1]", "{\"format\":1,\"host\":\"\"}"])
    func refused(body: String) async throws {
        let server = try await CuratorServer()
        let status = try await send(server, try await server.token([.report]), body)
        #expect((400..<500).contains(status))
    }

    @Test("have a limit")
    func large() async throws {
        let server = try await CuratorServer()
        let body = "{\"host\":\"" + String(repeating: "a", count: 1 << 20) + "\"}"
        #expect(try await send(server, try await server.token([.report]), body) == 413)
    }
}
