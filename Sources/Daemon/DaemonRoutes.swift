import Control
import Instruments

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
}
