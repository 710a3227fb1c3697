/// What is told to which broker, and how.
package struct MQTTSettings: Hashable, Sendable {
    package var broker: BrokerAddress
    /// Nil for none. The user's name stands in the address.
    package var password: String?
    /// Certificates to trust instead of the system's, in PEM.
    package var authorityFile: String?
    /// This client's own certificate and key, in PEM; both or neither.
    package var certificateFile: String?
    package var keyFile: String?
    /// The first levels of every topic.
    package var topicPrefix = "beacond"
    /// What this scanner is called in topics; the machine's name where it is not said.
    package var host: String
    /// Of what is retained, 0 to 2. Events are always sent at least once (1).
    package var qualityOfService = 1
    /// Seconds between two states of the same beacon; 0 for no states of beacons.
    package var rangingInterval = 5.0
    /// The prefix of Home Assistant's discovery topics; nil where nothing is announced.
    package var discoveryPrefix: String?
    /// Where events wait for the broker.
    package var outboxFile: String
    /// Events that wait at most; beyond, the oldest are dropped.
    package var outboxEvents = 10_000

    package init(broker: BrokerAddress, host: String, outboxFile: String) {
        self.broker = broker
        self.host = host
        self.outboxFile = outboxFile
    }
}
