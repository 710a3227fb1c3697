import DequeModule

/// The messages that the broker should retain, by topic, and which of them are not yet published. Only the newest
/// state matters. A state that changes before it was sent is sent once.
package struct RetainedStates: Sendable {
    private struct State {
        /// Empty if the broker should retain nothing.
        var payload: String
        /// The payload that was published over this connection.
        var told: String?
        var isWaiting = false
    }

    private var states: [String: State] = [:]
    private var waiting: Deque<String> = []

    package init() {}

    /// Sets the message that the broker should retain.
    package mutating func set(_ topic: String, _ payload: String) {
        states[topic, default: State(payload: "")].payload = payload
        enqueue(topic)
    }

    /// Removes the message that the broker retains.
    package mutating func clear(_ topic: String) {
        set(topic, "")
    }

    /// The message that should be retained; nil for none.
    package subscript(topic: String) -> String? {
        states[topic].flatMap { $0.payload.isEmpty ? nil : $0.payload }
    }

    /// Notes that the broker has a retained message there.
    package mutating func found(_ topic: String) {
        // What was published over this connection is newer than the found message.
        if states[topic]?.told == nil { states[topic, default: State(payload: "")].told = "?" }
        enqueue(topic)
    }

    /// The next message to publish; nil if all are published.
    package mutating func next() -> Publication? {
        while let topic = waiting.popFirst() {
            guard var state = states[topic] else { continue }
            state.isWaiting = false
            guard state.told != state.payload else {
                states[topic] = state
                continue
            }
            // A removed topic is forgotten, so that short-lived topics leave nothing behind.
            state.told = state.payload
            states[topic] = state.payload.isEmpty ? nil : state
            return Publication(topic: topic, payload: state.payload, isRetained: true)
        }
        return nil
    }

    /// Whether everything is published.
    package var isSettled: Bool { waiting.isEmpty }

    /// Starts a new connection. It is unknown what the broker has retained, so everything is published again.
    package mutating func forgetTold() {
        for topic in states.keys {
            states[topic]?.told = nil
            enqueue(topic)
        }
    }

    private mutating func enqueue(_ topic: String) {
        guard let state = states[topic], !state.isWaiting, state.told != state.payload else { return }
        states[topic]?.isWaiting = true
        waiting.append(topic)
    }
}
