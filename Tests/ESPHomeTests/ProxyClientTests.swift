import ESPHome
import TestSupport
import Testing
import Text

@Suite("A connection to a proxy", .timeLimit(.minutes(10)))
struct ProxyClientTests {
    @Test("one that is not answered ends as soon as it is cancelled")
    func cancelled() async throws {
        let port = try FullPort()
        let client = ProxyClient(
            HostPort(host: "127.0.0.1", port: UInt16(port.number)), key: nil, client: "bridge",
            connectingWithin: .seconds(3600)
        ) { _ in }
        let running = Task { await client.run() }
        try await port.atFirstConnection { running.cancel() }
        await running.value
        withExtendedLifetime(port) {}
    }
}
