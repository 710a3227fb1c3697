/// Which broker to use, and what to publish.
package struct MQTTSettings: Hashable, Sendable {
    package var broker: BrokerAddress
    /// Nil for none. The user's name is in the address.
    package var password: String?
    /// Certificates to trust instead of the system's, in PEM.
    package var authorityFile: String?
    /// The certificate and key of this client, in PEM; both or neither.
    package var certificateFile: String?
    package var keyFile: String?
    /// The first levels of every topic.
    package var topicPrefix = "beacond"
    /// The name of this scanner in topics; by default the machine's name.
    package var host: String
    /// QoS of retained messages, 0 to 2. Events are always sent at least once (1).
    package var qualityOfService = 1
    /// Seconds between two states of the same beacon; 0 for none.
    package var rangingInterval = 5.0
    /// The prefix of Home Assistant's discovery topics; nil to announce nothing.
    package var discoveryPrefix: String?
    /// Whether beacons without a name have a presence and entities too.
    package var includesUnnamed = false
    /// Where this scanner stands; nil where it is in no fleet.
    package var fleet: FleetPlace?
    /// Where events wait for the broker.
    package var outboxFile: String
    /// How many events may wait; beyond that the oldest are dropped.
    package var outboxEvents = 10_000

    package init(broker: BrokerAddress, host: String, outboxFile: String) {
        self.broker = broker
        self.host = host
        self.outboxFile = outboxFile
    }
}
