import DequeModule

/// What the broker is to keep, by topic, and what of it has not been told yet. Only the newest counts: a state that
/// changes before it was sent is sent once.
package struct RetainedStates: Sendable {
    private struct State {
        /// Empty where the broker is to keep nothing.
        var payload: String
        /// What the broker was told in this connection.
        var told: String?
        var isWaiting = false
    }

    private var states: [String: State] = [:]
    private var waiting: Deque<String> = []

    package init() {}

    /// The broker is to keep this from now on.
    package mutating func set(_ topic: String, _ payload: String) {
        states[topic, default: State(payload: "")].payload = payload
        enqueue(topic)
    }

    /// The broker is to keep nothing there from now on.
    package mutating func clear(_ topic: String) {
        set(topic, "")
    }

    /// What is kept there, as far as this program knows; nil for nothing.
    package subscript(topic: String) -> String? {
        states[topic].flatMap { $0.payload.isEmpty ? nil : $0.payload }
    }

    /// The broker has something there.
    package mutating func found(_ topic: String) {
        // What was told in this connection is newer than what is found.
        if states[topic]?.told == nil { states[topic, default: State(payload: "")].told = "?" }
        enqueue(topic)
    }

    /// The next to tell; nil where the broker knows all.
    package mutating func next() -> Publication? {
        while let topic = waiting.popFirst() {
            guard var state = states[topic] else { continue }
            state.isWaiting = false
            guard state.told != state.payload else {
                states[topic] = state
                continue
            }
            // Forgotten with its end, so that topics that come and go leave nothing behind.
            state.told = state.payload
            states[topic] = state.payload.isEmpty ? nil : state
            return Publication(topic: topic, payload: state.payload, isRetained: true)
        }
        return nil
    }

    /// Whether all was told.
    package var isSettled: Bool { waiting.isEmpty }

    /// A connection begins: nobody knows what the broker has kept, so all is told again.
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
