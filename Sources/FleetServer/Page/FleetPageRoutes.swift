import Control
import Fleet
import FleetFormat
import Rooms
import Serving
import Text
import VisitorPage

/// The page, its files, and the plans of the floors.
struct FleetPageRoutes: Sendable {
    private let plans: PlanFolder
    private let hub: FleetHub

    init(_ sources: FleetServer.Sources) {
        plans = sources.plans
        hub = sources.hub
    }

    /// A refusal as a page for people.
    static let refusalPage: RefusalPage = { failure in
        let page = PlainPage.refusal(
            failure.problem, whatToDo: failure.remedy, asksForToken: failure.status == 401,
            title: "Where the beacons are",
            tokenSource: "It is the first line of the file that <code>--http-token-file</code> names.")
        return ControlAnswer(
            status: failure.status, mediaType: page.mediaType, fields: page.fields, body: .octets(page.octets))
    }

    var all: [ControlRoute] {
        // Read and compressed now, so that no request has to wait for it.
        let index = FleetPage.index
        let files = Dictionary(FleetPage.files.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        return [
            ControlRoute(.get, "/", "The page: plans of the floors, and what is where") { index.answer(to: $0) }
                .giving([.init("text/html")]),
            ControlRoute(.get, "/page/{file}", "What the page is made of") { request in
                guard let file = files[request["file"]] else {
                    throw Refusal(404, "the page has no such file", whatToDo: "open / instead")
                }
                return file.answer(to: request)
            }.giving([.init("*/*")]),
            ControlRoute(.get, "/v1/plans", "The plans of the floors, and the outlines of rooms") { [plans, hub] _ in
                .json(Self.list(plans, hub.snapshot?.outlines ?? []))
            }.giving(.ref("Plans")),
            ControlRoute(.get, "/v1/plans/{floor}", "The picture of a floor's plan") { [plans] request in
                guard let floor = Int(request["floor"]), let plan = plans[floor] else {
                    throw Refusal(404, "this floor has no plan", whatToDo: "GET /v1/plans lists those that have one")
                }
                return ControlAnswer(
                    mediaType: plan.mediaType,
                    fields: [
                        "Cache-Control": "no-cache", "ETag": plan.tag,
                        "Content-Security-Policy": "default-src 'none'; sandbox",
                    ], body: .file(path: plan.path))
            }.giving([.init("image/*")]),
        ]
    }

    private static func list(_ plans: PlanFolder, _ outlines: [RoomOutline]) -> String {
        var json = JSONText()
        json.object { json in
            json.array("plans") { json in
                for entry in plans.plans {
                    json.object { json in
                        json.value("floor", entry.plan.floor)
                        json.value("name", entry.plan.name)
                        json.value("width_m", entry.plan.width, digits: 2)
                        json.value("picture", "v1/plans/\(entry.plan.floor)")
                    }
                }
            }
            json.rooms(outlines)
        }
        return json.text
    }
}

extension PageFile {
    fileprivate func answer(to request: ControlRequest) -> ControlAnswer {
        let (octets, fields) = coded(for: request.field("accept-encoding"))
        return ControlAnswer(mediaType: mediaType, fields: fields, body: .octets(octets))
    }
}
