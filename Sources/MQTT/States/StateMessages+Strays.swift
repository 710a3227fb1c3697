import Beacon
import Broker
import Events
import Settings

// Messages that a previous run has published. The broker sends them at the beginning of a connection.
extension StateMessages {
    /// Notes that the broker has retained a message.
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

    /// A name without a UUID also applies to the beacons that a previous run has received. If such a beacon has left,
    /// it is published as absent and not removed. Beacons that are received now come first, because there is room for
    /// only a few.
    mutating func adoptStrays() {
        guard knowsAbsence, !strays.isEmpty else { return }
        let former = strays.compactMap { topics.presentBeacon($0) }
            .filter { names.given($0) != nil && named[$0] == nil }
        guard !former.isEmpty else { return }
        names.meet(former.sorted())
        updateNames()
    }

    /// Removes messages of a previous run that are no longer valid.
    mutating func clearStrays() {
        for topic in strays where isSettled(topic) {
            strays.remove(topic)
            if states[topic] == nil { states.found(topic) }
        }
    }

    /// Whether the current knowledge decides about a topic of a previous run.
    private func isSettled(_ topic: String) -> Bool {
        if topic.hasPrefix(topics.base + "/ranging/") { return knowsAbsence }
        if topic.hasPrefix(topics.base + "/health/") { return health.isKnown }
        guard topic.hasPrefix(topics.base + "/regions/") else { return knowsSite && knowsAbsence }
        // A region that still exists gets its state as soon as that is known.
        guard states[topic] == nil, let names = regions.names else { return states[topic] != nil }
        return !names.contains { topics.region($0) == topic }
    }
}
