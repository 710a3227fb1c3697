import HTTPTypes
import Metrics

/// Counts the answers and measures their time, by route.
struct RequestMeter: Sendable {
    /// The label for unknown paths, so that a port scanner's guesses do not create a series each.
    static let otherRoutes = "other"

    private let route: String
    private let began = ContinuousClock.now

    init(_ route: String?) {
        self.route = route ?? Self.otherRoutes
    }

    func note(_ status: HTTPResponse.Status) {
        let route = ("route", route)
        Counter(label: "beacond_http_requests_total", dimensions: [route, ("status", "\(status.code)")]).increment()
        Timer(label: "beacond_http_request_duration_seconds", dimensions: [route])
            .record(duration: ContinuousClock.now - began)
    }
}
