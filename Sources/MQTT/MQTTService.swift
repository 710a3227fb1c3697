import Beacon
import Dispatch
package import Events
import Platform
import ServiceLifecycle
package import Settings

/// Publishes all events and states of the daemon to an MQTT broker.
///
/// Events wait in a file until the broker has acknowledged them; of each state only the newest is published. A broker
/// that cannot be reached is reported once and tried again.
package struct MQTTService: Service {
    private let settings: MQTTSettings
    private let hub: EventHub
    private let version: String

    /// - Parameter version: the version of this program.
    package init(_ settings: MQTTSettings, hub: EventHub, version: String) {
        self.settings = settings
        self.hub = hub
        self.version = version
    }

    package func run() async throws {
        let (settings, names, version) = (settings, hub.names, version)
        let queue = try await OwnThread.run { try PublishQueue(settings: settings, names: names, version: version) }
        let connection = BrokerConnection(settings: settings, queue: queue, hub: hub, version: version)
        let pump = EventPump(hub: hub, queue: queue, keeping: settings.outboxEvents)
        try connection.start()
        await cancelWhenGracefulShutdown { await pump.run() }
        await pump.drain()
        await connection.close(within: .seconds(5))
    }
}
