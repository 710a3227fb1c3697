import Beacon
import Control
import Fleet
import NIOCore
import Rooms
import Serving
import Synchronization
import Text

/// Changes of rooms and scanners as they happen.
struct FleetEventRoutes: Sendable {
    private let hub: FleetHub
    private let text: FleetText
    /// Many beacons take longer than a millisecond to compare and to write.
    private let work = WorkQueue("events", maximumWaiting: 1024)

    init(_ sources: FleetServer.Sources) {
        hub = sources.hub
        text = FleetText(names: sources.names)
    }

    var all: [ControlRoute] {
        var route = ControlRoute(
            .get, "/v1/events",
            "Changes of rooms and scanners (server-sent events); ?after=ID for those since, ?states=1 for all answers"
        ) { try stream($0) }
            .asking(.after, .flag("states", "Also all answers.")).giving([.init("text/event-stream")])
        route.isStream = true
        return [route]
    }

    /// Clients take a longer silence for the end of the connection.
    private static let longestSilence = Duration.seconds(5)

    private static let missed =
        #"{"event":"missed","text":"events before this were missed: they are no longer kept"}"#

    private func stream(_ request: ControlRequest) throws -> ControlAnswer {
        let after = try EventStream.lastEvent(of: request)
        let wantsStates = try request.isSet("states")
        let told = wantsStates ? ToldRooms() : nil
        return EventStream.answer {
            let subscription = hub.subscribe(after: after)
            return { await next(subscription, wantsStates: wantsStates) }
        } pieces: { batch in
            [ByteBuffer(string: try await work.run { _ in messages(of: batch, told) })]
        }
    }

    private func messages(of batch: FleetBatch, _ told: ToldRooms?) -> String {
        var output = batch.hasMissed ? EventStream.message("missed", data: Self.missed) : ""
        for record in batch.records {
            output += EventStream.message(record.event.kind, id: record.id, data: text.json(record))
        }
        if let told {
            let rooms = told.news(batch.snapshot)
            output += EventStream.message("rooms", data: text.rooms(rooms, of: batch.snapshot))
        }
        return output
    }

    /// Without states, only batches with events count.
    private func next(_ subscription: FleetSubscription, wantsStates: Bool) async -> FleetBatch? {
        guard !wantsStates else { return await nextState(subscription) }
        while let batch = await subscription.next() {
            if batch.hasMissed || !batch.records.isEmpty { return batch }
        }
        return nil
    }

    /// While the broker is away nothing is new. A page shall still see that this program is there.
    private func nextState(_ subscription: FleetSubscription) async -> FleetBatch? {
        await withTaskGroup(of: FleetBatch?.self) { group in
            group.addTask { await subscription.next() }
            group.addTask { [hub] in
                try? await Task.sleep(for: Self.longestSilence)
                return hub.snapshot.map { FleetBatch(snapshot: $0) }
            }
            let first: FleetBatch? = await group.next() ?? nil
            group.cancelAll()
            // What was read must not be lost, even if the silence was over at the same time.
            for await other in group {
                if let other, !other.records.isEmpty { return other }
            }
            return first
        }
    }
}

/// What a client knows already: it gets only answers that differ from that.
private final class ToldRooms: Sendable {
    private let told = Mutex<[BeaconID: RoomAnswer]>([:])

    /// Answers that are new or have changed; a beacon that is no longer followed is unknown.
    func news(_ snapshot: FleetSnapshot) -> [RoomAnswer] {
        told.withLock { told in
            var news: [RoomAnswer] = []
            var now: [BeaconID: RoomAnswer] = [:]
            for answer in snapshot.rooms {
                now[answer.beacon] = answer
                if told[answer.beacon] != answer { news.append(answer) }
            }
            for (beacon, old) in told where now[beacon] == nil {
                news.append(
                    RoomAnswer(beacon: beacon, room: nil, unknown: .notHeard, probability: 0, since: old.since))
            }
            told = now
            return news
        }
    }
}
