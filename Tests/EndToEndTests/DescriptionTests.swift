import Foundation
import TestSupport
import Testing

/// The daemon's API beside what its OpenAPI document says of it.
@Suite(.timeLimit(.minutes(10)))
struct DescriptionTests {
    @Test(
        "generated requests are answered as the OpenAPI document says",
        .enabled(
            if: APIPeer.absence == nil && Nginx.program != nil,
            "\(APIPeer.absence ?? "nginx is not installed")"))
    func schemathesis() async throws {
        let setup = try ContentCommandTests.Setup()
        defer { setup.cleanUp() }
        let port = try freePort()
        try """
            sources: [sim]
            content: {base_url: "\(setup.nginx.baseURL)"}
            http: {listen: \(port)}
            regions: [{name: Hall, uuid: 7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096, dwell_s: 1}]
            """.write(toFile: "\(setup.folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let daemon = try RunningProgram(
            Programs.beacond,
            [
                "--config", "\(setup.folder)/beacond.yaml", "--state-dir", "\(setup.folder)/state", "--socket",
                "\(setup.folder)/control.sock",
            ])
        try await daemon.waitUntil("content is there") { $0.errors.contains("content ") }
        try await waitUntil("its port can be reached") { (try? RawConnection(port: Int(port))) != nil }
        let outcome = try await APIPeer.checkControl("http://127.0.0.1:\(port)", examples: 5)
        #expect(outcome.status == 0, "\(outcome.output.suffix(8000))")
        #expect(try await daemon.stop().status == 0)
    }
}
