import Beacon
import Broker
import Events
import Settings

/// What decides about topics of a previous run.
struct StrayKnowledge: Sendable, Equatable {
    var site: Bool
    var absence: Bool
    var health: Bool
    var regions: Set<String>?
}

/// What decides which beacons of a previous run have names.
struct StrayNames: Sendable, Equatable {
    var configured: KnownBeacons
    var published: [BeaconID: String]
}

// Messages that a previous run has published. The broker sends them at the beginning of a connection.
extension StateMessages {
    /// Notes that the broker has retained a message.
    package mutating func found(_ topic: String) {
        if states[topic] != nil { return states.found(topic) }
        guard strays.admit() else { return }
        let beacon = topics.presentBeacon(topic)
        if unnamed != nil, let beacon, names.given(beacon) == nil {
            unnamed?.adopt(beacon)
            // Whether there was room for it is seen when the names are updated.
            examined = nil
            return strays.take(topic, isSettled: false)
        }
        // Only this one is examined: of the others, no more is known than before.
        if knowsAbsence, let beacon { adopt([beacon]) }
        let isSettled = isSettled(topic)
        strays.take(topic, isSettled: isSettled)
        if isSettled, states[topic] == nil { states.found(topic) }
    }

    /// Whether so many messages were found that some are left alone.
    package var hasLeftOut: Bool { strays.hasLeftOut }

    /// A name without a UUID also applies to the beacons that a previous run has received. If such a beacon has left,
    /// it is published as absent and not removed. Beacons that are received now come first, because there is room for
    /// only a few.
    mutating func adoptStrays() {
        guard knowsAbsence, !strays.waiting.isEmpty else { return }
        let configured = names.configured
        guard adopted != StrayNames(configured: configured, published: named) else { return }
        adopt(strays.waiting.compactMap { topics.presentBeacon($0) })
        adopted = StrayNames(configured: configured, published: named)
    }

    private mutating func adopt(_ beacons: [BeaconID]) {
        let former = beacons.filter { named[$0] == nil && names.given($0) != nil }.sorted()
        guard !former.isEmpty else { return }
        names.meet(former)
        let all = names.all
        // If there are too many names, the next ranking decides which of them have a place.
        for id in former where named.count < NamedBeacons.most {
            if let name = all[id] { addName(name, of: id) }
        }
    }

    /// Removes messages of a previous run that are no longer valid.
    mutating func clearStrays() {
        let knowledge = StrayKnowledge(
            site: knowsSite, absence: knowsAbsence, health: health.isKnown, regions: regionTopics)
        guard !strays.waiting.isEmpty, knowledge != examined else { return }
        examined = knowledge
        let settled = strays.waiting.filter { isSettled($0) }
        strays.settle(settled)
        for topic in settled where states[topic] == nil { states.found(topic) }
    }

    /// Whether the current knowledge decides about a topic of a previous run.
    private func isSettled(_ topic: String) -> Bool {
        if topic.hasPrefix(topics.base + "/ranging/") { return knowsAbsence }
        if topic.hasPrefix(topics.base + "/health/") { return health.isKnown }
        guard topic.hasPrefix(topics.base + "/regions/") else { return knowsSite && knowsAbsence }
        // A region that still exists gets its state as soon as that is known.
        guard states[topic] == nil, let regionTopics else { return states[topic] != nil }
        return !regionTopics.contains(topic)
    }
}
