import Beacon
import Console
import Content
import Events
import Health
import Ranging
import Serving
import Text

/// The state of the daemon, and what it receives.
///
/// Answers about many beacons are made on separate threads. The ranking is made once for all clients that ask for it.
struct DaemonRoutes: Sendable {
    private let daemon: any DaemonAccess
    private let rankings: RankingAnswers
    private let explanations = WorkQueue("explanations")

    init(_ daemon: any DaemonAccess, _ rankings: RankingAnswers) {
        self.daemon = daemon
        self.rankings = rankings
    }

    var all: [ControlRoute] {
        [
            ControlRoute(.get, "/healthz", "200 while something can be heard, else 503 and the reason") { _ in
                StatusJSON.wellbeing(daemon.hub.snapshot)
            }.giving(.ref("Wellbeing"), [503: "Nothing can be received."]),
            ControlRoute(.get, "/v1/status", "The daemon, its sources, the nearest beacon, the content in a word") {
                _ in
                .json(StatusJSON.status(daemon))
            }.giving(.ref("Status")),
            ControlRoute(.get, "/v1/ranging", "The newest ranking; ?beacon= for some of its beacons") { request in
                try await ranging(try request.beacons())
            }.asking(.beacon).giving(.ref("Ranking")),
            ControlRoute(
                .get, "/v1/health",
                "What is wrong with which beacon, and what is known of each; ?beacon= for some of them"
            ) { request in
                let filter = try request.beacons()
                let hub = daemon.hub
                return try await explanations.run { _ in .json(try Self.health(of: filter, hub)) }
            }.asking(.beacon).giving(.ref("Health")),
            ControlRoute(.get, "/v1/regions", "The regions of the configuration, and who is in them") { _ in
                .json(Self.regions(daemon.regions()))
            }.giving(.ref("Regions")),
            ControlRoute(
                .get, "/v1/explain/{uuid}/{major}/{minor}",
                "Why a beacon is seen as it is, and why it is (not) the nearest"
            ) { request in
                let beacon = try request.beacon()
                return try await explanations.run { _ in try Self.explanation(of: beacon, request, daemon) }
            }.asking(Self.forPeople, .columns, Self.blocks).giving([.json(.ref("Explanation")), .init("text/plain")]),
            ControlRoute(.get, "/v1/explain", "The same, ?beacon= as people name it: by a name, or as MAJOR.MINOR") {
                request in
                try await explanations.run { _ in try Self.explanationOfNamed(request, daemon) }
            }.asking(.oneBeacon, Self.forPeople, .columns, Self.blocks)
                .giving([.json(.ref("Explanation")), .init("text/plain")]),
        ]
    }

    private static let forPeople = APIOperation.Parameter.flag("text", "As a text for people.")
    private static let blocks = APIOperation.Parameter.flag("blocks", "Charts of block characters in the text.")

    private func ranging(_ filter: BeaconFilter) async throws -> ControlAnswer {
        let hub = daemon.hub
        guard filter.isEmpty else {
            return try await explanations.run { _ in .json(try Self.ranking(of: filter, hub)) }
        }
        let snapshot = hub.snapshot
        let ranking = try Self.ranking(of: snapshot)
        return .json(try await rankings.body(ranking, isBlind: snapshot.isBlind, number: snapshot.rankings))
    }

    private static func ranking(of filter: BeaconFilter, _ hub: EventHub) throws -> String {
        let names = hub.names.all
        try filter.require(in: hub.names)
        let snapshot = hub.snapshot
        let ranking = filter.ranking(try ranking(of: snapshot), names: names)
        return RankingText(names: names).json(ranking, isBlind: snapshot.isBlind)
    }

    private static func ranking(of snapshot: EventHub.Snapshot) throws(Refusal) -> Ranking {
        guard let ranking = snapshot.ranking else {
            throw Refusal(503, "nothing was ranked yet", whatToDo: "ask again in a second", retryAfter: 1)
        }
        return ranking
    }

    private static func health(of filter: BeaconFilter, _ hub: EventHub) throws -> String {
        let names = filter.isEmpty ? [:] : hub.names.all
        try filter.require(in: hub.names)
        let health = hub.snapshot.health
        if case .off = health {
            throw Refusal(404, "the health of beacons is not watched", whatToDo: "set health.enabled")
        }
        var json = JSONText()
        json.object { json in
            json.value("time", hub.time.rfc3339)
            json.array("beacons") { json in
                for beacon in health.beacons
                where filter.isEmpty || filter.contains(beacon.beacon, name: names[beacon.beacon]) {
                    json.object { json in
                        json.identity(beacon.beacon, name: hub.names.given(beacon.beacon))
                        json.health(of: beacon)
                    }
                }
            }
        }
        return json.text
    }

    // MARK: - Regions and explanations

    private static func regions(_ states: [RegionState]) -> String {
        var json = JSONText()
        json.object { json in
            json.array("regions") { json in
                for state in states {
                    json.object { json in
                        json.value("region", state.region.identifier)
                        json.value("uuid", state.region.constraint.uuid.description)
                        json.value("major", state.region.constraint.major.map(Int.init))
                        json.value("minor", state.region.constraint.minor.map(Int.init))
                        json.value("dwell_s", state.region.dwell, digits: 1)
                        json.value("inside", state.since != nil)
                        json.value("since", state.since?.rfc3339)
                        json.value("beacons", state.beacons)
                    }
                }
            }
        }
        return json.text
    }

    private static func explanationOfNamed(
        _ request: ControlRequest, _ daemon: any DaemonAccess
    ) throws -> ControlAnswer {
        guard let text = request.query("beacon"), let query = BeaconQuery(argument: text) else {
            throw Refusal(
                400, "no beacon is named", whatToDo: "add ?beacon= and a name, UUID/MAJOR/MINOR or MAJOR.MINOR")
        }
        let beacon: BeaconID
        do throws(BeaconQuery.Failure) {
            beacon = try query.only(among: daemon.tracked(), names: daemon.hub.names.all)
        } catch {
            throw Refusal(notFound: error)
        }
        return try explanation(of: beacon, request, daemon)
    }

    private static func explanation(
        of beacon: BeaconID, _ request: ControlRequest, _ daemon: any DaemonAccess
    ) throws -> ControlAnswer {
        guard let explanation = daemon.explanation(of: beacon) else {
            throw Refusal(
                404, "\(beacon) is not tracked", whatToDo: "beaconctl range shows the beacons that are heard")
        }
        let text = ExplanationText(
            explanation, names: daemon.hub.names.all, sources: daemon.sources,
            content: daemon.content?.explanation(of: beacon)
                ?? ContentExplanation(manifest: nil, reason: "none: no site is configured"))
        if try request.isSet("text") {
            // For people: nothing else is known about the client's terminal.
            var terminal = Terminal(isTerminal: false, hasBlocks: try request.isSet("blocks"))
            terminal.limit = try request.number("columns", in: 20...1000).map(Int.init)
            return ControlAnswer(
                mediaType: "text/plain; charset=utf-8", fields: ["Cache-Control": "no-store"],
                body: .text(text.text(terminal)))
        }
        return .json(text.json)
    }
}
