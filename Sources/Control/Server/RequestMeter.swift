import HTTPTypes
import Metrics

/// Counts what is answered, and how long that took, by route.
struct RequestMeter: Sendable {
    /// What is no route of ours: a scanner's guesses make no series each.
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
