package import Beacon
package import Broker
package import Events
package import Ranging
package import Settings

/// Turns the daemon's state into messages that the broker should retain.
package struct StateMessages: Sendable {
    /// What is retained, and which of it is not yet published.
    package private(set) var states = RetainedStates()
    package let topics: Topics

    private let texts: StateTexts
    private let discovery: DiscoveryMessages?
    private let interval: Double
    private let names: Names
    private var nearest: (beacon: BeaconID?, label: String)?
    /// Beacons with a state, and when it was published.
    private var told: [BeaconID: Timestamp] = [:]
    /// The values for the details of this connection, besides counts.
    private var connection: (version: String, started: Timestamp, connected: Timestamp)?
    private var named: [BeaconID: String] = [:]
    private var present: Set<BeaconID> = []
    /// Topics that the broker has retained from an earlier run, until it is known whether they are still valid.
    private var strays: Set<String> = []
    private var knowsPresence = false
    private var knowsSite = false

    /// The maximum number of beacons with states, the nearest first: a flood of identities must not cause a flood of
    /// messages.
    private static let mostBeacons = 250

    package init(settings: MQTTSettings, topics: Topics, names: Names, version: String) {
        self.topics = topics
        self.names = names
        texts = StateTexts(names: names, place: settings.fleet, version: version)
        interval = settings.rangingInterval
        discovery = settings.discoveryPrefix.map { DiscoveryMessages(prefix: $0, topics: topics, version: version) }
        for message in discovery?.scanner() ?? [] { announce(message) }
    }

    /// Where the broker may have retained messages that are no longer valid.
    package var subscriptions: [String] {
        [topics.allRanging, topics.allPresence] + (discovery.map { [$0.all] } ?? [])
    }

    // MARK: - From the daemon

    package mutating func update(_ ranking: Ranking, isBlind: Bool) {
        let label = ranking.nearest.map(texts.label) ?? "none"
        if nearest == nil || nearest?.beacon != ranking.nearest || nearest?.label != label {
            states.set(topics.nearest, texts.nearest(ranking.nearest, since: ranking.time))
            nearest = (ranking.nearest, label)
        }
        present = Set(ranking.beacons.map(\.id))
        if !isBlind { knowsPresence = true }
        if interval > 0 { range(ranking) }
        updateNames()
        clearStrays()
    }

    private mutating func range(_ ranking: Ranking) {
        let beacons = ranking.beacons.prefix(Self.mostBeacons)
        for beacon in beacons {
            if let last = told[beacon.id] {
                // A clock that was set back must not stop the states of a beacon.
                let age = ranking.time.seconds(since: last)
                guard age >= interval || age < 0 else { continue }
            }
            told[beacon.id] = ranking.time
            states.set(topics.ranging(beacon.id), texts.ranging(beacon, at: ranking.time))
        }
        let shown = Set(beacons.map(\.id))
        for id in told.keys where !shown.contains(id) {
            told[id] = nil
            states.clear(topics.ranging(id))
        }
    }

    /// Publishes presence, and the entities of Home Assistant, for beacons with names.
    private mutating func updateNames() {
        let all = names.all
        for (id, name) in all where named[id] != name {
            for message in discovery?.beacon(id, name: name) ?? [] { announce(message) }
        }
        named = all
        guard knowsPresence else { return }
        for id in all.keys {
            let state = present.contains(id) ? "present" : "absent"
            if states[topics.presence(id)] != state { states.set(topics.presence(id), state) }
        }
    }

    private mutating func announce(_ message: Publication) {
        states.set(message.topic, message.payload)
    }

    /// - Parameter snapshot: the current state.
    package mutating func update(_ snapshot: EventHub.Snapshot, at time: Timestamp) {
        states.set(topics.scanner, texts.scanner(snapshot, at: time))
    }

    /// - Parameter json: the event in the form shared by every output.
    package mutating func showContent(_ json: String) {
        states.set(topics.content, json)
    }

    /// The site's list is new, so all of its names are known.
    package mutating func siteIsKnown() {
        knowsSite = true
        updateNames()
        clearStrays()
    }

    // MARK: - From and to the broker

    /// A new connection: everything is published again.
    package mutating func connect(
        version: String, started: Timestamp, connected: Timestamp, waiting: Int, dropped: Int
    ) {
        strays = []
        states.forgetTold()
        connection = (version, started, connected)
        note(waiting: waiting, dropped: dropped)
    }

    /// The count of waiting or lost events has changed.
    package mutating func note(waiting: Int, dropped: Int) {
        guard let (version, started, connected) = connection else { return }
        states.set(
            topics.details,
            texts.details(
                version: version, started: started, connected: connected, waiting: waiting, dropped: dropped))
    }

    /// The broker has retained a message.
    package mutating func found(_ topic: String) {
        if states[topic] != nil {
            states.found(topic)
        } else {
            strays.insert(topic)
            clearStrays()
        }
    }

    private mutating func clearStrays() {
        for topic in strays {
            let isKnown = topic.hasPrefix(topics.base + "/ranging/") ? knowsPresence : knowsSite
            guard isKnown else { continue }
            strays.remove(topic)
            if states[topic] == nil { states.found(topic) }
        }
    }

    package mutating func next() -> Publication? { states.next() }
}
