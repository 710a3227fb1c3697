import Beacon
import ESPHome
import Fleet
import Testing

@Suite struct ProxyInboxTests {
    private let time = Timestamp(seconds: 1_767_225_600)

    private func put(_ news: ProxyClient.News, of address: String = "proxy", in inbox: ProxyInbox) {
        inbox.put(.init(address: address, time: time, news: news))
    }

    @Test("whatever proxies say while the broker is away, what waits is bounded", arguments: [
        .advertisements, .sightings([]), .scanner(isRunning: true), .listening(name: "a", version: "1"),
        .lost(ProxyProblem("it is away"), retry: 60, isNews: false),
    ] as [ProxyClient.News])
    func flood(news: ProxyClient.News) {
        let inbox = ProxyInbox()
        for number in 0..<100_000 { put(news, of: "proxy-\(number % 200)", in: inbox) }
        #expect(inbox.take().count <= ProxyInbox.capacity)
        for number in 0..<100_000 { put(news, of: "proxy-\(number)", in: inbox) }
        #expect(inbox.take().count <= ProxyInbox.capacity)
        #expect(inbox.take().isEmpty)
    }

    @Test("a flood of what was received loses no state, and the newest of it is kept, all in its order")
    func states() {
        let inbox = ProxyInbox()
        put(.listening(name: "a", version: "1"), in: inbox)
        put(.scanner(isRunning: true), in: inbox)
        put(.lost(ProxyProblem("it is away"), retry: 1, isNews: true), in: inbox)
        put(.scanner(isRunning: false), of: "other", in: inbox)
        put(.scanner(isRunning: false), in: inbox)
        for _ in 0..<10_000 { put(.advertisements, in: inbox) }
        put(.sightings([]), in: inbox)
        let kinds = inbox.take().map { "\($0.address) \(kind($0.news))" }
        #expect(kinds.prefix(4) == ["proxy listening", "proxy lost", "other stopped", "proxy stopped"])
        #expect(kinds.last == "proxy sightings")
        #expect(kinds.count > 500)
    }

    private func kind(_ news: ProxyClient.News) -> String {
        switch news {
        case .listening: "listening"
        case .sightings: "sightings"
        case .advertisements: "advertisements"
        case .scanner(let isRunning): isRunning ? "runs" : "stopped"
        case .lost: "lost"
        }
    }
}
