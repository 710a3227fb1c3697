import Console
import ControlClient

/// The daemon's events, over its restarts: what was missed meanwhile comes after it is back.
struct EventFeed {
    let client: ControlClient
    /// Rankings and progress as well.
    var wantsStates = false
    /// The last event that is known; nil for from now on.
    var after: String?

    /// Between two attempts to reach a daemon that is gone.
    private static let pause = Duration.seconds(1)

    /// Calls `body` with every event until it returns false. Throws where the daemon cannot be asked at first.
    mutating func follow(_ body: (EventStreamReader.Event) throws -> Bool) async throws {
        var goesOn = true
        var isFirst = true
        var isGone = false
        while goesOn, !Task.isCancelled {
            var reader = EventStreamReader()
            var last = after
            do {
                try await client.stream(path, fields: after.map { ["Last-Event-ID": $0] } ?? [:]) { piece in
                    if isGone { Program.write("the daemon is back\n") }
                    isGone = false
                    isFirst = false
                    for event in reader.take(piece) where goesOn {
                        last = event.id ?? last
                        goesOn = try body(event)
                    }
                    return goesOn
                }
            } catch let error as ControlClientError where error.code != .connectionLost {
                // It refuses, rather than being away.
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
            if !isGone { Program.write("the daemon is gone; waiting for it to come back\n") }
            isGone = true
            try? await Task.sleep(for: Self.pause)
        }
    }

    private var path: String { "/v1/events" + (wantsStates ? "?states=1" : "") }
}
