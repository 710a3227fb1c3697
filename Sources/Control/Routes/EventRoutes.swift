import Console
import Events
import NIOCore
import Serving
import Text

/// Events as they happen: server-sent events (HTML Living Standard, section 9.2).
struct EventRoutes: Sendable {
    private let hub: EventHub
    private let rankings: RankingAnswers

    init(_ hub: EventHub, _ rankings: RankingAnswers) {
        self.hub = hub
        self.rankings = rankings
    }

    var all: [ControlRoute] {
        var route = ControlRoute(
            .get, "/v1/events",
            "Events as they happen (server-sent events); ?after=ID for those since, ?states=1 for rankings and progress"
        ) { try stream($0) }
            .asking(.after, .flag("states", "Also rankings and progress.")).giving([.init("text/event-stream")])
        route.isStream = true
        return [route]
    }

    private func stream(_ request: ControlRequest) throws -> ControlAnswer {
        let after = try EventStream.lastEvent(of: request)
        let wantsStates = try request.isSet("states")
        return EventStream.answer {
            let subscription = hub.subscribe(after: after, wantsStates: wantsStates)
            return { await subscription.next() }
        } pieces: { batch in
            var pieces = [ByteBuffer(string: EventStreamText(names: hub.names).text(batch))]
            if let (ranking, isBlind) = batch.ranking {
                let body = try await rankings.body(ranking, isBlind: isBlind, number: batch.rankingNumber)
                pieces.append(body.framed)
            }
            return pieces
        }
    }
}

/// Batches of events in the form in which they are sent.
struct EventStreamText {
    private let text: EventText

    init(names: Names) {
        text = EventText(names: names)
    }

    /// The whole batch except the ranking.
    func text(_ batch: EventBatch) -> String {
        var output = ""
        if batch.hasMissed { output += EventStream.message("missed", data: Self.missed) }
        for record in batch.records {
            output += EventStream.message(record.event.kind, id: record.id, data: text.json(record))
        }
        if let progress = batch.progress {
            var json = JSONText()
            json.object { text.write(progress: progress, into: &$0) }
            output += EventStream.message("progress", data: json.text)
        }
        return output
    }

    private static let missed =
        #"{"event":"missed","text":"events before this were missed: they are no longer kept"}"#
}
