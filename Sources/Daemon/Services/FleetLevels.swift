package import Beacon
package import Broker
import Events
package import FleetFormat
package import Health
import Platform
package import Ranging
import ServiceLifecycle
import Synchronization

/// Collects the sightings that ranging receives. While there is a fleet, it publishes levels every second, and what
/// was learned every minute.
package final class FleetLevels: RangingObserver {
    private struct State {
        var seconds = LevelSeconds()
        /// Nil if there is no fleet.
        var topic: String?
    }

    package let clock = FleetClock()
    private let state = Mutex(State())
    private let mailbox: PublicationMailbox

    package init(_ mailbox: PublicationMailbox) {
        self.mailbox = mailbox
    }

    /// Whether levels are published every second.
    var isOn: Bool { state.withLock { $0.topic != nil } }

    func begin(_ topic: String) {
        state.withLock { $0 = State(topic: topic) }
    }

    func end() {
        state.withLock { $0 = State() }
    }

    /// Publishes what was learned in a minute, for all receivers.
    package func tell(_ readings: [ScannerReadings], topic: String) {
        let message = HealthReadingsMessage(of: readings, clock: clock.correction.milliseconds)
        mailbox.put(Publication(topic: topic, payload: message.json, isRetained: false))
    }

    package func observe(_ sightings: [Sighting], _ ranking: Ranking, _ events: [RangingEvent], isBlind: Bool) {
        guard isOn else { return }
        let (milliseconds, isSettled) = clock.correction
        // Until the clock's correction is settled, its time would jump back and forth.
        guard isSettled else { return }
        let publications = state.withLock { state -> [Publication] in
            guard let topic = state.topic else { return [] }
            return state.seconds.take(sightings, at: ranking.time, clock: milliseconds, isBlind: isBlind).map {
                Publication(topic: topic, payload: $0.json, isRetained: false)
            }
        }
        for publication in publications { mailbox.put(publication) }
    }
}

/// Publishes levels while the configuration has a room.
struct FleetLevelsService: Service {
    let topic: String
    let levels: FleetLevels

    func run() async throws {
        levels.begin(topic)
        await cancelWhenGracefulShutdown { await untilCancelled() }
        levels.end()
    }
}
