import Control
import Instruments
import VisitorPage

extension DaemonCore {
    static func metricsRoutes(_ metrics: MetricRegistry) -> [ControlRoute] {
        [
            ControlRoute(.get, "/metrics", "What the daemon measures, in the Prometheus text format") { _ in
                ControlAnswer(
                    mediaType: PrometheusText.mediaType, fields: ["Cache-Control": "no-store"],
                    body: .text(metrics.text))
            }
        ]
    }

    /// The page for visitors, and what it is made of.
    static var pageRoutes: [ControlRoute] {
        [
            ControlRoute(.get, "/", "The page for visitors; ?kiosk for a screen on a wall") { _ in
                answer(VisitorPage.index)
            },
            ControlRoute(.get, "/page/{file}", "What the page is made of") { request in
                let name = String(request.path.dropFirst("/page/".count))
                guard let file = VisitorPage.file(name) else {
                    throw ControlFailure(404, "the page has no \(name)", whatToDo: "open / instead")
                }
                return answer(file)
            },
        ]
    }

    private static func answer(_ file: PageFile) -> ControlAnswer {
        ControlAnswer(mediaType: file.mediaType, fields: file.fields, body: .octets(file.octets))
    }
}
