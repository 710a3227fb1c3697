import Beacon
import Console
import Control
import Events
import Listening
import Ranging
import Serving
import Text

/// The most sightings that are written for a client before other clients have their turn: about 60 KB.
private let sightingsAtOnce = 256

extension DaemonCore {
    /// `/v1/sightings`: one line per iBeacon frame, in the format of `beaconctl sightings`.
    func sightingRoutes() -> [ControlRoute] {
        // Names are searched on a thread of their own, because all clients share the one for requests.
        let searches = WorkQueue("sightings")
        var route = ControlRoute(
            .get, "/v1/sightings",
            "A line for every iBeacon heard, as it is heard; ?format=json, csv or table (&columns=), &beacon= for "
                + "some of them"
        ) { [self] request in
            let name = request.query("format") ?? OutputFormat.json.rawValue
            guard let format = OutputFormat(rawValue: name) else {
                throw Refusal(
                    400, "format=\(name) is no format of sightings", whatToDo: "write format=json, csv or table")
            }
            let columns = try request.number("columns", in: 20...1000).map(Int.init)
            let filter = try request.beacons()
            let names = context.hub.names
            if !filter.isEmpty { try await searches.run { _ in try filter.require(in: names) } }
            let fields = ["Cache-Control": "no-store", "X-Accel-Buffering": "no"]
            return ControlAnswer(
                mediaType: format.mediaType, fields: fields,
                body: .stream { [self] output in
                    let reader = context.broadcast.open()
                    defer { reader.close() }
                    output.whenGone { reader.close() }
                    var writer = SightingWriter(
                        collecting: format, receivers: self.receivers, limit: columns)
                    try await output.write(writer.taken())
                    while let part = await reader.next(atMost: sightingsAtOnce) {
                        for sighting in part where filter.isEmpty
                            || filter.contains(sighting.beacon.id, name: names.given(sighting.beacon.id)) {
                            writer.write(sighting)
                        }
                        try await output.write(writer.taken())
                        // Also where nothing is written: other clients share this thread.
                        await Task.yield()
                    }
                })
        }.asking(.format(OutputFormat.allCases.map(\.rawValue)), .columns, .beacon)
            .giving(OutputFormat.allCases.map { .init($0.mediaType) })
        route.isStream = true
        return [route]
    }
}

/// Passes all sightings to the clients that asked for them.
struct SightingObserver: RangingObserver {
    let broadcast: SightingBroadcast

    func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        broadcast.push(sightings)
    }
}

extension OutputFormat {
    fileprivate var mediaType: String {
        switch self {
        case .json: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8"
        case .table: "text/plain; charset=utf-8"
        }
    }
}
