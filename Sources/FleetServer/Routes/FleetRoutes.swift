import Beacon
import Control
import Fleet
import Health
import Rooms
import Serving
import Text

/// Where everything is now.
struct FleetRoutes: Sendable {
    private let sources: FleetServer.Sources
    private let text: FleetText
    /// Many beacons take longer than a millisecond to write.
    private let work = WorkQueue("rooms")

    /// Seconds by which the rooms may be behind while all is well.
    private static let mostLag = 30.0

    init(_ sources: FleetServer.Sources) {
        self.sources = sources
        text = FleetText(names: sources.names)
    }

    var all: [ControlRoute] {
        [
            ControlRoute(.get, "/healthz", "200 while rooms are resolved, else 503 and the reason") { _ in health }
                .giving(.ref("Wellbeing"), [503: "Rooms are not resolved now."]),
            ControlRoute(.get, "/v1/status", "The resolver: since when, at which second, how many beacons and scanners")
            { _ in
                .json(status)
            }.giving(.ref("Status")),
            ControlRoute(.get, "/v1/rooms", "In which room each beacon is; ?beacon= for some of them") { request in
                let filter = try request.beacons()
                let snapshot = try current
                return try await work.run { _ in .json(try rooms(snapshot, filter)) }
            }.asking(.beacon).giving(.ref("Rooms")),
            ControlRoute(
                .get, "/v1/health",
                "The health of each beacon; ?problems=1 for those that have problems, ?beacon= for some"
            ) {
                request in
                let filter = try request.beacons()
                let wantsAll = try !request.isSet("problems")
                let snapshot = try current
                return try await work.run { _ in .json(try health(snapshot, filter, wantsAll: wantsAll)) }
            }.asking(.beacon, .flag("problems", "Only beacons that have problems.")).giving(.ref("Health")),
            ControlRoute(.get, "/v1/scanners", "The scanners of the fleet: state, place, version, clock") { _ in
                let snapshot = try current
                return try await work.run { _ in .json(text.scanners(of: snapshot)) }
            }.giving(.ref("Scanners")),
        ]
    }

    private var current: FleetSnapshot {
        get throws {
            guard let snapshot = sources.hub.snapshot else {
                throw Refusal(503, "the broker has told nothing yet", whatToDo: "ask again in a second", retryAfter: 1)
            }
            return snapshot
        }
    }

    private func requireNames(_ filter: BeaconFilter) throws(Refusal) {
        do throws(BeaconQuery.Failure) {
            try filter.requireNames(sources.names.givenNames)
        } catch {
            throw Refusal(notFound: error)
        }
    }

    private func health(_ snapshot: FleetSnapshot, _ filter: BeaconFilter, wantsAll: Bool) throws -> String {
        try requireNames(filter)
        return text.health(
            snapshot.health.lazy.filter {
                filter.contains($0.beacon, name: sources.names.name(of: $0.beacon))
                    && (wantsAll || !$0.problems.isEmpty)
            }, of: snapshot)
    }

    private func rooms(_ snapshot: FleetSnapshot, _ filter: BeaconFilter) throws -> String {
        try requireNames(filter)
        return text.rooms(
            snapshot.rooms.lazy.filter { filter.contains($0.beacon, name: sources.names.name(of: $0.beacon)) },
            of: snapshot)
    }

    private var health: ControlAnswer {
        let (status, reason) = Self.judged(sources.hub.snapshot)
        var json = JSONText()
        json.object { json in
            json.value("status", status)
            if let reason { json.value("reason", reason) }
        }
        return .json(json.text, status: reason == nil ? 200 : 503)
    }

    /// A word for programs; the reason where something is wrong.
    static func judged(_ snapshot: FleetSnapshot?) -> (status: String, reason: String?) {
        guard let snapshot else { return ("starting", "the broker has told nothing yet") }
        guard snapshot.isConnected else { return ("disconnected", "the broker is away") }
        guard let lag = snapshot.lag else { return ("starting", "no scanner has told of a second yet") }
        guard snapshot.scanners.contains(where: { $0.state == .ok }) else { return ("blind", "no scanner can receive") }
        return lag <= mostLag ? ("ok", nil) : ("late", "the rooms are those of \(Int(min(lag, 1e9))) s ago")
    }

    private var status: String {
        let snapshot = sources.hub.snapshot
        var json = JSONText()
        json.object { json in
            json.value("version", SoftwareVersion.text)
            json.value("started_at", sources.startedAt.rfc3339)
            json.value("status", Self.judged(snapshot).status)
            json.value("connected", snapshot?.isConnected ?? false)
            json.value("answering", snapshot?.isAnswering ?? false)
            json.value("lag_s", snapshot?.lag, digits: 1)
            json.value("beacons", snapshot?.rooms.count ?? 0)
            json.value("scanners", snapshot?.scanners.count ?? 0)
            json.value("history", sources.history != nil)
        }
        return json.text
    }
}
