import Console
import Events
import NIOCore
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
        route.isStream = true
        return [route]
    }

    /// The interval of keep-alive comments: proxies and clients treat silence as an end.
    private static let keepAlive = Duration.seconds(15)

    private func stream(_ request: ControlRequest) throws -> ControlAnswer {
        // A reconnecting browser sends the last id that it has; the id in the query is older.
        let last = request.field("last-event-id").flatMap { UInt64($0) }
        let after = try last ?? request.number("after", in: 0...UInt64(Int64.max))
        let wantsStates = request.isSet("states")
        return ControlAnswer(
            mediaType: "text/event-stream",
            fields: ["Cache-Control": "no-store", "X-Accel-Buffering": "no"],
            body: .stream { output in
                let departure = Departure()
                output.whenGone { departure.note() }
                try await output.write("retry: 1000\n\n")
                let text = EventStreamText(names: hub.names)
                let subscription = hub.subscribe(after: after, wantsStates: wantsStates)
                while true {
                    switch await Self.next(subscription, departure) {
                    case .batch(let batch):
                        var pieces = [ByteBuffer(string: text.text(batch))]
                        if let (ranking, isBlind) = batch.ranking {
                            let body = try await rankings.body(ranking, isBlind: isBlind, number: batch.rankingNumber)
                            pieces.append(body.framed)
                        }
                        try await output.write(pieces)
                    case .silence: try await output.write(": alive\n\n")
                    case .over: return
                    }
                }
            })
    }

    private enum News {
        case batch(EventBatch)
        case silence
        case over
    }

    /// New events, a keep-alive after a long silence, or the end.
    private static func next(_ subscription: EventSubscription, _ departure: Departure) async -> News {
        await withTaskGroup(of: News.self) { group in
            group.addTask { await subscription.next().map { .batch($0) } ?? .over }
            group.addTask { (try? await Task.sleep(for: keepAlive)) == nil ? .over : .silence }
            group.addTask {
                await departure.wait()
                return .over
            }
            let first = await group.next() ?? .over
            group.cancelAll()
            // Events that were read must be sent, even if the keep-alive was due at the same time.
            for await other in group {
                if case .silence = first, case .batch = other { return other }
            }
            return first
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
        if batch.hasMissed { output += Self.message("missed", data: Self.missed) }
        for record in batch.records {
            output += Self.message(record.event.kind, id: record.id, data: text.json(record))
        }
        if let progress = batch.progress {
            var json = JSONText()
            json.object { text.write(progress: progress, into: &$0) }
            output += Self.message("progress", data: json.text)
        }
        return output
    }

    private static let missed =
        #"{"event":"missed","text":"events before this were missed: they are no longer kept"}"#

    /// JSON has no line ends, so one data line is enough.
    private static func message(_ kind: String, id: EventRecord.ID? = nil, data: String) -> String {
        (id.map { "id: \($0)\n" } ?? "") + "event: \(kind)\ndata: \(data)\n\n"
    }
}
