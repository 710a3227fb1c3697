/// What is told to which broker, and how.
public struct MQTTSettings: Hashable, Sendable {
    public var broker: BrokerAddress
    /// Nil for none. The user's name stands in the address.
    public var password: String?
    /// Certificates to trust instead of the system's, in PEM.
    public var authorityFile: String?
    /// This client's own certificate and key, in PEM; both or neither.
    public var certificateFile: String?
    public var keyFile: String?
    /// The first levels of every topic.
    public var topicPrefix = "beacond"
    /// What this scanner is called in topics; the machine's name where it is not said.
    public var host: String
    /// Of what is retained, 0 to 2. Events are always sent at least once (1).
    public var qualityOfService = 1
    /// Seconds between two states of the same beacon; 0 for no states of beacons.
    public var rangingInterval = 5.0
    /// The prefix of Home Assistant's discovery topics; nil where nothing is announced.
    public var discoveryPrefix: String?
    /// Where events wait for the broker.
    public var outboxFile: String
    /// Events that wait at most; beyond, the oldest are dropped.
    public var outboxEvents = 10_000

    public init(broker: BrokerAddress, host: String, outboxFile: String) {
        self.broker = broker
        self.host = host
        self.outboxFile = outboxFile
    }
}
