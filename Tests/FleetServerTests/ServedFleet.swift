import Beacon
import Fleet
import FleetFormat
import FleetServer
import Foundation
import Health
import PrometheusMetrics
import Reports
import Rooms
import Settings
import TestSupport

/// A server on a port of its own, and the hub that it shows.
final class ServedFleet: Sendable {
    let hub: FleetHub
    let port: UInt16
    private let run: Task<Void, any Error>

    init(
        names: KnownBeacons = KnownBeacons(), plans: PlanFolder = PlanFolder(), history: String? = nil,
        token: String? = nil,
        capacity: Int = 4096
    ) async throws {
        hub = FleetHub(capacity: capacity, start: Timestamp(seconds: 1000))
        port = try freePort()
        var settings = ControlSettings(socket: nil, token: token)
        settings.listen = try ListenAddress("127.0.0.1:\(port)")
        guard let network = settings.overNetwork else { throw RunningProgram.Failure(description: "no address") }
        let sources = FleetServer.Sources(
            hub: hub, names: names, plans: plans, history: history, startedAt: Timestamp(seconds: 1000))
        let server = FleetServer(sources, settings: network, metrics: MetricRegistry())
        run = Task { try await server.run() }
        try await waitUntil("it listens") { [port] in (try? RawConnection(port: Int(port))) != nil }
    }

    static func with(
        names: KnownBeacons = KnownBeacons(), plans: PlanFolder = PlanFolder(), history: String? = nil,
        token: String? = nil,
        capacity: Int = 4096, _ body: (ServedFleet) async throws -> Void
    ) async throws {
        let fleet = try await ServedFleet(
            names: names, plans: plans, history: history, token: token, capacity: capacity)
        try await body(fleet)
        fleet.run.cancel()
        try await fleet.run.value
    }

    func ask(_ path: String, method: String = "GET", fields: [String] = []) async throws -> RawResponse {
        try await RawConnection(port: Int(port)).ask(path, method: method, fields: ["Host: localhost"] + fields)
    }

    func json(_ path: String) async throws -> [String: Any] {
        let response = try await ask(path)
        return try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any] ?? [:]
    }
}

/// What a resolver may know.
enum Known {
    static let globe = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 1)
    static let whale = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
    static let hall = RoomMap.Room(name: "Hall 1", floor: 0)
    static let gazelle = RoomMap.Room(name: "قاعة \"الغزال\"", floor: -1)

    /// - Parameter second: that was worked through last.
    static func snapshot(
        second: Int64 = Int64(Date().timeIntervalSince1970), globe: RoomMap.Room? = hall,
        state: FleetScanner.State = .ok
    ) -> FleetSnapshot {
        let time = Timestamp(seconds: Double(second) + 2)
        var snapshot = FleetSnapshot(
            time: time, second: second,
            rooms: [
                RoomAnswer(
                    beacon: Self.globe, room: globe, unknown: globe == nil ? .blind : nil,
                    probability: globe == nil ? 0 : 0.95, since: 1000),
                RoomAnswer(beacon: whale, room: nil, unknown: .notHeard, probability: 0, since: 900),
            ],
            scanners: [
                FleetScanner(
                    place: ScannerPlace(scanner: "pi-1", room: hall.name, position: Position(x: 3.5, y: 2)),
                    state: state,
                    since: Timestamp(seconds: 500), version: "0.1.0", revision: 4,
                    hearing: .init(second: nil, clock: -12)),
                FleetScanner(
                    place: ScannerPlace(scanner: "pi-2", room: gazelle.name, floor: -1), state: .gone,
                    since: Timestamp(seconds: 600)),
            ])
        snapshot.health = [
            BeaconHealth(
                beacon: Self.globe,
                problems: [HealthProblem(kind: .weak, since: 800, evidence: "11 dB less than usual")], level: -81.25,
                interval: 0.1, battery: 12, lastHeard: 990, isLearned: true),
            BeaconHealth(beacon: whale),
        ]
        snapshot.counts.messages = 40
        snapshot.counts.unreadable = 2
        return snapshot
    }
}
