import Beacon
import Control
import DaemonSettings
import Events
import Platform
import PrometheusMetrics
import Ranging
import Serving
import Text
import VisitorPage

extension DaemonCore {
    static func metricsRoutes(_ metrics: MetricRegistry) -> [ControlRoute] {
        [.metrics(mediaType: PrometheusText.mediaType) { metrics.text }]
    }

    /// Reloads the configuration and answers whether it is good.
    ///
    /// - Parameter judge: applies the configuration if it is good.
    static func reloadRoute(_ judge: @escaping @Sendable () async -> Judgement) -> ControlRoute {
        ControlRoute(.post, "/v1/reload", "Reloads the configuration; 422 and its mistakes if refused") { _ in
            let judgement = await judge()
            return try reloaded(
                judgement.problems, needsRestart: judgement.needsRestart, file: judgement.file,
                orElse: "the old one stays in use; correct it, and reload again")
        }.giving(.ref("Reload"))
    }

    /// The answer to that request.
    ///
    /// - Parameter file: the configuration's path; nil for none.
    static func reloaded(
        _ problems: [String], needsRestart: [String] = [], file: String?, orElse remedy: String
    ) throws(Refusal) -> ControlAnswer {
        guard problems.isEmpty else { throw .refusedConfiguration(422, problems, remedy) }
        var json = JSONText()
        json.object { json in
            json.value("state", "applied")
            if let file { json.value("file", AtomicFile.target(of: file)) }
            if !needsRestart.isEmpty {
                json.array("needs_restart") { json in for each in needsRestart { json.value(nil, each) } }
            }
        }
        return .json(json.text)
    }

    /// The page for visitors and its files.
    static func pageRoutes(_ hub: EventHub) -> [ControlRoute] {
        // Read and compressed now, so that no request has to wait for it.
        let index = VisitorPage.index
        let files = Dictionary(uniqueKeysWithValues: VisitorPage.files.map { ($0.name, $0) })
        return [
            ControlRoute(.get, "/", "The page for visitors; ?kiosk for a screen on a wall") { request in
                answer(index, to: request)
            }.giving([.init("text/html")]),
            ControlRoute(.get, "/plain", "What is near as a plain list, for browsers without JavaScript") { request in
                answer(plainList(hub), to: request)
            }.giving([.init("text/html")]),
            ControlRoute(.get, "/page/{file}", "What the page is made of") { request in
                let name = String(request.path.dropFirst("/page/".count))
                guard let file = files[name] else {
                    throw Refusal(404, "the page has no \(name)", whatToDo: "open / instead")
                }
                return answer(file, to: request)
            }.giving([.init("*/*")]),
        ]
    }

    /// A refusal as a page for people.
    static let refusalPage: RefusalPage = { failure in
        let page = PlainPage.refusal(
            failure.problem, whatToDo: failure.remedy, asksForToken: failure.status == 401)
        return ControlAnswer(
            status: failure.status, mediaType: page.mediaType, fields: page.fields, body: .octets(page.octets))
    }

    private static func answer(_ file: PageFile, to request: ControlRequest) -> ControlAnswer {
        let (octets, fields) = file.coded(for: request.field("accept-encoding"))
        return ControlAnswer(mediaType: file.mediaType, fields: fields, body: .octets(octets))
    }

    /// The most rows. A longer list is not useful in a hall full of beacons.
    private static let longestList = 12

    private static func plainList(_ hub: EventHub) -> PageFile {
        let snapshot = hub.snapshot
        let beacons = snapshot.ranking?.beacons ?? []
        let nearest = beacons.first { $0.id == snapshot.ranking?.nearest }
        let shown = ([nearest].compactMap { $0 } + beacons.lazy.filter { $0.id != nearest?.id }.prefix(longestList))
            .prefix(longestList)
        let rows = shown.map { beacon in
            PlainPage.Row(
                name: hub.names.given(beacon.id) ?? "Beacon \(beacon.id.major).\(beacon.id.minor)",
                distance: beacon.distance?.metres, isNearest: beacon.id == nearest?.id)
        }
        return PlainPage.list(rows, more: beacons.count - rows.count, isBlind: snapshot.isBlind)
    }
}

extension Refusal {
    /// The answer for a configuration that has mistakes.
    static func refusedConfiguration(_ status: Int, _ problems: [String], _ remedy: String) -> Refusal {
        let mistakes = problems.count == 1 ? "1 mistake" : "\(problems.count) mistakes"
        var failure = Refusal(status, "the configuration is refused: it has \(mistakes)", whatToDo: remedy)
        failure.problems = problems
        return failure
    }
}
