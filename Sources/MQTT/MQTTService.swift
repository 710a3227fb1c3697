import Beacon
package import Broker
import Dispatch
package import Events
package import FleetFormat
import Platform
import ServiceLifecycle
package import Settings

/// Publishes all events and states of the daemon to an MQTT broker.
///
/// Events wait in a file until the broker has acknowledged them. For each state, only the newest value is published. A
/// broker that cannot be reached is reported once and tried again.
package struct MQTTService: Service {
    private let settings: MQTTSettings
    private let hub: EventHub
    private let relay: PublicationRelay
    private let levels: PublicationMailbox
    private let clock: FleetClock
    private let version: String

    /// - Parameters:
    ///   - relay: carries the messages of other parts.
    ///   - levels: carries messages that matter only now.
    ///   - clock: the difference between this machine's clock and the fleet's.
    ///   - version: the version of this program.
    package init(
        _ settings: MQTTSettings, hub: EventHub, relay: PublicationRelay = .init(),
        levels: PublicationMailbox = .init(),
        clock: FleetClock = .init(), version: String
    ) {
        self.settings = settings
        self.hub = hub
        self.relay = relay
        self.levels = levels
        self.clock = clock
        self.version = version
    }

    package func run() async throws {
        let (settings, hub, names, version) = (settings, hub, hub.names, version)
        let queue = try await OwnThread.run { try PublishQueue(settings: settings, names: names, version: version) }
        let connection = BrokerConnection(wake: queue.wake)
        let pump = EventPump(hub: hub, queue: queue, keeping: settings.outboxEvents)
        try connection.start { [relay, levels, clock] in
            BrokerSession(
                settings, queue: queue, hub: hub, relay: relay, levels: levels, clock: clock, version: version)
        }
        await cancelWhenGracefulShutdown { await pump.run() }
        await pump.drain()
        await connection.close(within: .seconds(5))
        hub.forgetFailure(of: EventPump.part)
        hub.forgetFailure(of: EventPump.namesPart)
        hub.forgetFailure(of: BrokerSession.strayPart)
    }
}
