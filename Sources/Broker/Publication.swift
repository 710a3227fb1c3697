/// One message to the broker.
package struct Publication: Hashable, Sendable {
    package var topic: String
    /// An empty payload removes the retained message. MQTT 3.1.1, section 3.3.1.3.
    package var payload: String
    package var isRetained: Bool

    package init(topic: String, payload: String, isRetained: Bool) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }
}
