import Beacon
import Control
import History
import Platform
import Reports
import Serving
import Text

/// The report by room.
struct FleetHistoryRoutes: Sendable {
    private let sources: FleetServer.Sources
    private let work = WorkQueue("reports", maximumWaiting: 8)

    init(_ sources: FleetServer.Sources) {
        self.sources = sources
    }

    var all: [ControlRoute] {
        [
            ControlRoute(
                .get, "/v1/history",
                "The report by room: ?since=24h (or a time, or all), &until=, &beacon=, &format=json, text, csv or html"
            ) { try await report($0) }
                .asking(.since, .until, .beacon, .format(ReportFormat.allCases.map(\.rawValue)))
                .giving(ReportFormat.allCases.map { .init($0.mediaType, $0 == .json ? .ref("Report") : nil) }),
            ControlRoute(
                .get, "/v1/heat", "For how long beacons were in each room and square metre: ?since=24h, &until="
            ) { try await heat($0) }.asking(.since, .until).giving(.ref("Heat")),
        ]
    }

    private var folder: String {
        get throws(Refusal) {
            guard let folder = sources.history else {
                throw Refusal(404, "no history of rooms is kept", whatToDo: "start beacon-fleet run with --state DIR")
            }
            return folder
        }
    }

    private func heat(_ request: ControlRequest) async throws -> ControlAnswer {
        let folder = try folder
        let window = try self.window(of: request)
        return try await work.run { interest in
            do {
                let report = try RoomStore.report(in: folder, window) { try interest.check() }
                return .json(Self.heat(report, try RoomStore.dwell(in: folder, window)))
            } catch let error as HistoryError {
                throw Refusal(503, error, remedy: "ask again in a minute")
            }
        }
    }

    private static func heat(_ report: RoomReport, _ dwell: [DwellMap.Cell: Int64]) -> String {
        var json = JSONText()
        json.object { json in
            json.array("rooms") { json in
                for room in report.rooms {
                    json.object { json in
                        json.value("room", room.room.name)
                        json.value("floor", room.room.floor)
                        json.value("dwell_s", room.visits.seconds, digits: 0)
                    }
                }
            }
            json.array("metres") { json in
                let cells = dwell.sorted { one, other in
                    (one.key.floor, one.key.y, one.key.x) < (other.key.floor, other.key.y, other.key.x)
                }
                for (cell, seconds) in cells {
                    json.array { json in
                        for value in [cell.floor, cell.x, cell.y, Int(seconds)] { json.value(nil, value) }
                    }
                }
            }
        }
        return json.text
    }

    private func report(_ request: ControlRequest) async throws -> ControlAnswer {
        let folder = try folder
        let filter = try request.beacons()
        let format = try self.format(of: request)
        let window = try self.window(of: request)
        let names = sources.names
        return try await work.run { interest in
            do {
                let report = try RoomStore.report(in: folder, window, names: names) { try interest.check() }
                let text = try report.only(filter).rendered(as: format)
                return ControlAnswer(
                    mediaType: format.mediaType, fields: ["Cache-Control": "no-store"], body: .text(text))
            } catch let failure as BeaconQuery.Failure {
                throw Refusal(notFound: failure)
            } catch let error as HistoryError {
                throw Refusal(503, error, remedy: "ask again in a minute")
            }
        }
    }

    private func format(of request: ControlRequest) throws -> ReportFormat {
        let text = request.query("format") ?? ReportFormat.json.rawValue
        guard let format = ReportFormat(rawValue: text) else {
            let known = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(400, "format=\(text) is no format", whatToDo: "write one of \(known)")
        }
        return format
    }

    private func window(of request: ControlRequest) throws -> ReportWindow {
        func moment(_ name: String) throws -> ReportMoment? {
            guard let text = request.time(name) else { return nil }
            guard let moment = ReportMoment(text) else {
                throw Refusal(400, "\(name)=\(text) is no time", whatToDo: "write \(ReportMoment.forms)")
            }
            return moment
        }
        do {
            return try ReportWindow(since: moment("since"), until: moment("until"), now: WallClock.now)
        } catch let problem as ReportWindow.Problem {
            throw Refusal(400, problem)
        }
    }
}
