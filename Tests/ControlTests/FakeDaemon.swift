import Beacon
import Console
import Control
import Events
import Foundation
import Logging
import Radio
import Ranging
import ServiceLifecycle
import Settings
import Synchronization
import TestSupport

let lobby = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 2)

/// A daemon that knows what a test tells its hub.
struct FakeDaemon: DaemonAccess {
    let hub: EventHub
    var gate: Gate?
    let version = "1.2.3"
    let startedAt = Timestamp(seconds: 1_700_000_000)
    let sources = ["sim"]
    let content: (any ContentControl)? = nil

    func regions() -> [RegionState] {
        [
            RegionState(
                region: BeaconRegion(identifier: "hall", constraint: BeaconConstraint(lobby)), beacons: 1,
                since: startedAt)
        ]
    }

    func tracked() -> [BeaconID] { [lobby] }

    func explanation(of beacon: BeaconID) -> BeaconExplanation? {
        gate?.pass()
        return nil
    }
}

/// Holds explanations back until it is open.
final class Gate: Sendable {
    private let isOpen = Atomic(false)
    private let came = Atomic(false)

    /// Somebody has come to it.
    var isReached: Bool { came.load(ordering: .sequentiallyConsistent) }

    func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

    /// Blocks its thread, as long work does.
    func pass() {
        came.store(true, ordering: .sequentiallyConsistent)
        while !isOpen.load(ordering: .sequentiallyConsistent) { usleep(1000) }
    }
}

/// A server with a fake daemon behind it, on a Unix socket of its own.
final class TestServer: Sendable {
    let hub: EventHub
    let folder: String
    let socket: String
    private let group: ServiceGroup
    private let run: Task<Void, any Error>
    private let failure = Failure()

    private final class Failure: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }

    /// - Parameters:
    ///   - capacity: events that the hub keeps.
    ///   - more: further routes.
    ///   - gate: holds its explanations back.
    ///   - change: of the settings, whose time-outs are long.
    init(
        capacity: Int = 4096, more: [ControlRoute] = [], gate: Gate? = nil,
        _ change: (inout ControlSettings) throws -> Void = { _ in }
    ) async throws {
        folder = try temporaryFolder("control")
        hub = EventHub(names: Names(), capacity: capacity) { Timestamp(seconds: 1_700_000_100) }
        // Nobody is disconnected while the test waits for its turn.
        var settings = ControlSettings(
            socket: "\(folder)/control.sock", writeTimeout: 3600, requestTimeout: 3600)
        try change(&settings)
        socket = settings.socket ?? ""
        let service = ControlService(
            FakeDaemon(hub: hub, gate: gate), settings: settings, more: more, logger: Self.logger)
        let group = ServiceGroup(
            configuration: .init(services: [.init(service: service)], logger: Self.logger))
        self.group = group
        run = Task { [failure] in
            do {
                try await group.run()
            } catch {
                failure.error.withLock { $0 = error }
                throw error
            }
        }
        try await waitUntil("it listens") {
            if (try? RawConnection(unix: socket)) != nil { return true }
            if let error = failure.error.withLock({ $0 }) { throw error }
            return false
        }
    }

    private static let logger = Logger(label: "control") { _ in SwiftLogNoOpLogHandler() }

    func connect() throws -> RawConnection {
        try RawConnection(unix: socket)
    }

    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await run.value
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a test with a server, and ends it in any case.
    static func with(
        capacity: Int = 4096, more: [ControlRoute] = [], gate: Gate? = nil,
        _ change: (inout ControlSettings) throws -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let server = try await TestServer(capacity: capacity, more: more, gate: gate, change)
        do {
            try await body(server)
        } catch {
            try? await server.stop()
            throw error
        }
        try await server.stop()
    }

    /// A ranking in which the lobby's beacon is alone.
    func rank(isBlind: Bool = false) {
        let beacon = RangedBeacon(
            rank: 1, id: lobby, rssi: -60, filteredRSSI: -60, measuredPower: -59, distance: nil, proximity: .near,
            lastSeen: Timestamp(seconds: 1_700_000_100), count: 7)
        hub.publish(
            Ranking(time: Timestamp(seconds: 1_700_000_100), nearest: lobby, beacons: [beacon]), isBlind: isBlind)
    }
}
