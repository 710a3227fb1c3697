import ControlClient

/// The daemon's events. It reconnects after a restart of the daemon and gets the events that it missed.
struct EventFeed {
    let client: ControlClient
    /// Whether rankings and progress are included.
    var wantsStates = false
    /// The last known event; nil to start now.
    var after: String?
    /// Called when the daemon is gone (true), and when it is back.
    var goneChanged: @Sendable (Bool) -> Void = { _ in }

    /// Calls `body` with each event until it returns false.
    ///
    /// - Throws: where the first request fails.
    func follow(_ body: (EventStreamReader.Event) throws -> Bool) async throws {
        var last = after
        try await LastingStream(goneChanged: goneChanged).follow { received in
            var reader = EventStreamReader()
            var goesOn = true
            let fields = last.map { ["Last-Event-ID": $0] } ?? [:]
            try await client.stream(path, fields: fields) { piece in
                received()
                for event in reader.take(piece) where goesOn {
                    last = event.id ?? last
                    goesOn = try body(event)
                }
                return goesOn
            }
            return goesOn
        }
    }

    private var path: String { "/v1/events" + (wantsStates ? "?states=1" : "") }
}
