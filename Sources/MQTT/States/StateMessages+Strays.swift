import Beacon
import Broker
import Events
import Settings

// What a former run has published: the broker sends it at the beginning of a connection.
extension StateMessages {
    /// The broker has retained a message.
    package mutating func found(_ topic: String) {
        if states[topic] != nil {
            states.found(topic)
        } else if unnamed != nil, let id = topics.presentBeacon(topic), names.given(id) == nil {
            unnamed?.adopt(id)
            strays.insert(topic)
        } else {
            strays.insert(topic)
            adoptStrays()
            clearStrays()
        }
    }

    /// A name without a UUID is that of the beacons that a former run has met, too: one of them that has left is
    /// absent, and does not vanish. Those that are received come first, for there is room for few.
    mutating func adoptStrays() {
        guard knowsAbsence, !strays.isEmpty else { return }
        let former = strays.compactMap { topics.presentBeacon($0) }
            .filter { names.given($0) != nil && named[$0] == nil }
        guard !former.isEmpty else { return }
        names.meet(former.sorted())
        updateNames()
    }

    /// Removes what a former run has published and what is no longer true.
    mutating func clearStrays() {
        for topic in strays where isSettled(topic) {
            strays.remove(topic)
            if states[topic] == nil { states.found(topic) }
        }
    }

    /// Whether what is known now decides about a topic that a former run has published.
    private func isSettled(_ topic: String) -> Bool {
        if topic.hasPrefix(topics.base + "/ranging/") { return knowsAbsence }
        if topic.hasPrefix(topics.base + "/health/") { return health.isKnown }
        guard topic.hasPrefix(topics.base + "/regions/") else { return knowsSite && knowsAbsence }
        // One that is still there gets its state as soon as that is known.
        guard states[topic] == nil, let names = regions.names else { return states[topic] != nil }
        return !names.contains { topics.region($0) == topic }
    }
}
