import Beacon
import Control
import Daemon
import Events
import Foundation
import Logging
import ServiceLifecycle
import Settings
import Synchronization
import TestSupport
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

    private static let logger = Logger(label: "parts") { _ in SwiftLogNoOpLogHandler() }
    private let hub: EventHub
    private let keeper: PartKeeper

    init() {
        hub = EventHub(names: Names(), capacity: 16) { Timestamp(seconds: 0) }
        keeper = PartKeeper(hub: hub, logger: Self.logger, ended: {})
    }

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
        #expect(hub.snapshot.failing.isEmpty, "nothing is wrong with what has ended")
    }

    /// The names of parts in the order of their ends.
    private final class Ends: Sendable {
        private let ended = Mutex<[String]>([])
        var names: [String] { ended.withLock { $0 } }
        func add(_ name: String) { ended.withLock { $0.append(name) } }
    }

    private struct Noted: Service {
        let name: String
        let ends: Ends

        func run() async throws {
            try? await gracefulShutdown()
            ends.add(name)
        }
    }

    @Test("after a reload they end in the same order as before it")
    func order() async throws {
        let ends = Ends()
        func parts(_ settings: Int, hasNew: Bool = true) -> [Part] {
            ["output", hasNew ? "new" : nil, "ranging"].compactMap(\.self).map { name in
                Part(name, settings: name == "ranging" ? 0 : settings) { Noted(name: name, ends: ends) }
            }
        }
        _ = try await keeper.apply(parts(1, hasNew: false), isStart: true)
        _ = try await keeper.apply(parts(2), wellAfter: .zero)
        #expect(ends.names == ["output"])
        await keeper.stop()
        #expect(ends.names == ["output", "ranging", "new", "output"])
    }

    // The same holds for an address that the host gets only after the daemon's start: both are errors of bind(2).
    @Test("a port that cannot be had at the start is listened on when it can")
    func portLater() async throws {
        let other = try LoopbackListener { close($0) }
        let settings = try #require(
            ControlSettings(socket: nil, listen: try ListenAddress("\(other.port)")).overNetwork)
        let http = Part("http", settings: settings) {
            ControlService(insteadOfDaemon: { _ in throw Trouble() }, settings: settings, logger: Self.logger)
        }
        #expect(try await keeper.apply([http], isStart: true) == [])
        try await waitUntil("it is told why", state: "\(hub.snapshot.failing)") {
            hub.snapshot.failing.first?.problem.contains("Address already in use") == true
        }
        other.stop()
        try await waitUntil("it works") { hub.snapshot.failing.isEmpty }
        _ = try RawConnection(port: Int(other.port))
        await keeper.stop()
    }
}
