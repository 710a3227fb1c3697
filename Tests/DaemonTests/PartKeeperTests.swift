import Beacon
import Daemon
import Events
import Logging
import ServiceLifecycle
import Testing

@Suite("The daemon's parts", .timeLimit(.minutes(10)))
struct PartKeeperTests {
    private struct Trouble: Error {}

    private struct Lasting: Service {
        func run() async throws { try? await gracefulShutdown() }
    }

    private struct Failing: Service {
        func run() async throws { throw Trouble() }
    }

    private struct Short: Service {
        func run() async throws {}
    }

    private static let hub = EventHub(names: Names(), capacity: 16) { Timestamp(seconds: 0) }
    private let keeper = PartKeeper(
        hub: Self.hub, logger: Logger(label: "parts") { _ in SwiftLogNoOpLogHandler() }, ended: {})

    private static let unmade = Part("unmade", settings: 1) { throw Trouble() }
    private static let failing = Part("failing", settings: 1) { Failing() }
    private static let short = Part("short", settings: 1) { Short() }

    private static func lasting(_ settings: Int) -> Part { Part("lasting", settings: settings) { Lasting() } }

    @Test("a part is reported as started when it has started, and otherwise as what it is")
    func areTold() async throws {
        #expect(try await keeper.apply([Self.lasting(1)], isStart: true) == [])
        // As long as it takes until they fail.
        let parts = [Self.lasting(1), Self.unmade, Self.failing, Self.short]
        #expect(
            try await keeper.apply(parts, wellAfter: .seconds(60)) == [
                "unmade has not started, and is tried again", "failing has not started, and is tried again",
                "short started",
            ])
        #expect(try await keeper.apply(parts, wellAfter: .zero) == [])
        #expect(
            try await keeper.apply([Self.lasting(2), Self.failing], wellAfter: .zero) == [
                "unmade ended", "short ended", "lasting restarted",
            ])
        await keeper.stop()
        #expect(Self.hub.snapshot.failing.isEmpty, "nothing is wrong with what has ended")
    }
}
