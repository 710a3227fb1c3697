import Beacon
import Broker
import Events
import FleetFormat
import Platform
import Ranging
import ServiceLifecycle
import Synchronization

/// Collects what ranging sees for the daemon's lifetime, and, while there is a fleet, sends it second by second.
final class FleetLevels: RangingObserver {
    private struct State {
        var accumulator = LevelAccumulator()
        /// The second that is being collected.
        var second: Int64?
        /// Nil where there is no fleet.
        var topic: String?
    }

    private let state = Mutex(State())
    private let mailbox: PublicationMailbox
    /// Seconds of silence that are told one by one: a clock that jumps must not make a flood.
    private static let longestGap: Int64 = 10

    init(_ mailbox: PublicationMailbox) {
        self.mailbox = mailbox
    }

    /// Whether somebody wants to know each second.
    var isOn: Bool { state.withLock { $0.topic != nil } }

    func begin(_ topic: String) {
        state.withLock { $0 = State(topic: topic) }
    }

    func end() {
        state.withLock { $0 = State() }
    }

    func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        let publications = state.withLock { state -> [Publication] in
            guard let topic = state.topic else { return [] }
            let now = Int64(ranking.time.seconds.rounded(.down))
            // A clock that was set back a little waits for what was told already; one that was set back far begins anew.
            if let told = state.second, now < told, told - now <= Self.longestGap { return [] }
            var second = state.second.flatMap { now < $0 ? nil : max($0, now - Self.longestGap) } ?? now
            var publications: [Publication] = []
            var waiting = sightings
            while second < now {
                let end = Timestamp(seconds: Double(second + 1))
                let isLater = waiting.partition { ($0.time ?? end) >= end }
                for sighting in waiting[..<isLater] { state.accumulator.add(sighting) }
                waiting.removeSubrange(..<isLater)
                let message = state.accumulator.finish(second, isBlind: isBlind)
                publications.append(Publication(topic: topic, payload: message.json, isRetained: false))
                second += 1
            }
            for sighting in waiting { state.accumulator.add(sighting) }
            state.second = now
            return publications
        }
        for publication in publications { mailbox.put(publication) }
    }
}

/// Sends them while the configuration has a room.
struct FleetLevelsService: Service {
    let topic: String
    let levels: FleetLevels

    func run() async throws {
        levels.begin(topic)
        await cancelWhenGracefulShutdown { await untilCancelled() }
        levels.end()
    }
}
