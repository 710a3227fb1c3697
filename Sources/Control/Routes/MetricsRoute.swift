import Serving

extension ControlRoute {
    /// The metrics of a program, for Prometheus.
    ///
    /// - Parameters:
    ///   - mediaType: the media type of the text.
    ///   - text: called for each scrape, on a thread that it may block for long.
    package static func metrics(mediaType: String, text: @escaping @Sendable () -> String) -> ControlRoute {
        let scrapes = WorkQueue("metrics", maximumWaiting: 16)
        return ControlRoute(.get, "/metrics", "What is measured, in the Prometheus text format") { _ in
            let text = try await scrapes.run { _ in text() }
            return ControlAnswer(mediaType: mediaType, fields: ["Cache-Control": "no-store"], body: .text(text))
        }.giving([.init(mediaType)])
    }
}
