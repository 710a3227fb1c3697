import ESPHome
import Synchronization
import TestSupport
import Testing
import Text

@Suite("A connection to a proxy", .timeLimit(.minutes(10)))
struct ProxyClientTests {
    @Test("one that is not answered ends as soon as it is cancelled")
    func cancelled() async throws {
        let port = try FullPort()
        let noted = Mutex<[ProxyClient.News]>([])
        let client = ProxyClient(
            HostPort(host: "127.0.0.1", port: UInt16(port.number)), key: nil, client: "bridge",
            connectingWithin: .seconds(3600)
        ) { news in noted.withLock { $0.append(news) } }
        let running = Task { await client.run() }
        try await waitUntil(
            "it waits for an answer", within: .seconds(400), state: "\(noted.withLock { $0 })"
        ) { try port.waiting() > 0 }
        running.cancel()
        await running.value
        withExtendedLifetime(port) {}
    }
}
