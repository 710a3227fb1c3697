import Console
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

    /// The time between two attempts to connect.
    private static let pause = Duration.seconds(1)

    /// Calls `body` with each event until it returns false. Throws where the first request fails.
    mutating func follow(_ body: (EventStreamReader.Event) throws -> Bool) async throws {
        let goneChanged = goneChanged
        var goesOn = true
        var isFirst = true
        var isGone = false
        while goesOn, !Task.isCancelled {
            var reader = EventStreamReader()
            var last = after
            do {
                try await client.stream(path, fields: after.map { ["Last-Event-ID": $0] } ?? [:]) { piece in
                    if isGone {
                        Program.write("the daemon is back\n")
                        goneChanged(false)
                    }
                    isGone = false
                    isFirst = false
                    for event in reader.take(piece) where goesOn {
                        last = event.id ?? last
                        goesOn = try body(event)
                    }
                    return goesOn
                }
            } catch let error as ControlClientError where error.code != .connectionLost {
                // The daemon is there, but refuses.
                guard !isFirst, isGone else { throw error }
            } catch let error where isFirst && !(error is CancellationError) {
                throw error
            } catch is CancellationError {
                return
            } catch {
                // It was there before, so it may come back.
            }
            after = last
            guard goesOn, !Task.isCancelled else { return }
            if !isGone {
                Program.write("the daemon is gone; waiting for it to come back\n")
                goneChanged(true)
            }
            isGone = true
            try? await Task.sleep(for: Self.pause)
        }
    }

    private var path: String { "/v1/events" + (wantsStates ? "?states=1" : "") }
}
