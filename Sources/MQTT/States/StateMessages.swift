package import Beacon
package import Broker
package import Events
package import FleetFormat
package import Ranging
package import Settings

/// Turns the daemon's state into messages that the broker should retain.
package struct StateMessages: Sendable {
    /// The states that the broker should retain, and which of them are not yet published.
    package internal(set) var states = RetainedStates()
    package let topics: Topics

    private let texts: StateTexts
    private let discovery: DiscoveryMessages?
    private let interval: Double
    let names: Names
    private var nearest: (beacon: BeaconID?, label: String)?
    /// Beacons with a state, and when it was published.
    private var told: [BeaconID: Timestamp] = [:]
    /// The values for the details of this connection, besides counts.
    private var connection: (version: String, started: Timestamp, connected: Timestamp)?
    /// The beacons whose presence is published, with their names.
    private(set) var named: [BeaconID: String] = [:]
    private var choice = NamedBeacons()
    /// Whether `takeLeftOut` has said that there are too many names.
    private var toldLeftOut = false
    /// Nil if unnamed beacons are not published.
    var unnamed: UnnamedBeacons?
    private var present: Set<BeaconID> = []
    /// Topics that the broker has retained from an earlier run, until it is known whether they are still valid.
    package internal(set) var strays = StrayTopics()
    /// What was known when those were last examined. Nothing is learned from a second look with the same knowledge.
    var examined: StrayKnowledge?
    /// The names that were known when beacons of those were last adopted.
    var adopted: StrayNames?
    /// Something was received, so the beacons in the ranking are present.
    private var knowsPresence = false
    /// A beacon that is not in the ranking is absent.
    private(set) var knowsAbsence = false
    private(set) var knowsSite = false
    private var scanner = ScannerState()
    private(set) var health = HealthStates()
    private(set) var regions = RegionStates()
    /// The topics of the regions; nil while they are unknown.
    private(set) var regionTopics: Set<String>?

    /// The maximum number of beacons with states, the nearest first: a flood of identities must not cause a flood of
    /// messages.
    private static let mostBeacons = 250

    package init(settings: MQTTSettings, topics: Topics, names: Names, version: String) {
        self.topics = topics
        self.names = names
        texts = StateTexts(names: names, place: settings.fleet, version: version)
        interval = settings.rangingInterval
        unnamed = settings.includesUnnamed ? UnnamedBeacons() : nil
        discovery = settings.discoveryPrefix.map { DiscoveryMessages(prefix: $0, topics: topics, version: version) }
        for message in discovery?.scanner() ?? [] { announce(message) }
    }

    /// The topics at which the broker may have retained messages that are no longer valid.
    package var subscriptions: [String] {
        [topics.allRanging, topics.allPresence, topics.allHealth, topics.allRegions]
            + (discovery.map { [$0.all] } ?? [])
    }

    // MARK: - From the daemon

    /// - Parameters:
    ///   - isBlind: silence does not mean absence, so no absence is published.
    ///   - isSettled: a beacon that is not in the ranking is absent. Shortly after a start it may not have been
    ///     received yet. Until then, what a previous run has published stays.
    package mutating func update(_ ranking: Ranking, isBlind: Bool, isSettled: Bool = true) {
        let known = (knowsPresence, knowsAbsence)
        if !isBlind { knowsPresence = true }
        if !isBlind && isSettled { knowsAbsence = true }
        let label = ranking.nearest.map(texts.label) ?? "none"
        let isNews =
            if let nearest {
                nearest.beacon != ranking.nearest || nearest.label != label
            } else {
                ranking.nearest != nil || knowsAbsence
            }
        if isNews {
            states.set(topics.nearest, texts.nearest(ranking.nearest, since: ranking.time))
            nearest = (ranking.nearest, label)
        }
        let before = present
        present = Set(ranking.beacons.map(\.id))
        if interval > 0 { range(ranking) }
        unnamed?.update(ranking) { names.given($0) != nil }
        updateNames()
        if known != (knowsPresence, knowsAbsence) {
            for id in named.keys { showPresence(of: id) }
        } else {
            for id in present.symmetricDifference(before) where named[id] != nil { showPresence(of: id) }
        }
        adoptStrays()
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

    /// Publishes presence and the entities of Home Assistant for beacons with names, and for others if the settings
    /// say so.
    mutating func updateNames() {
        choice.update(names.all, names.configured, present: present)
        var all = choice.chosen
        if let unnamed { all.merge(unnamed.names) { given, _ in given } }
        guard all != named else { return }
        let nameless = named.keys.filter { all[$0] == nil }
        for id in nameless { withdraw(id) }
        let renamed = all.filter { named[$0.key] != $0.value }
        for (id, name) in renamed { announce(id, name) }
        named = all
        if health.isWatched { for id in nameless + renamed.keys { showHealth(of: id) } }
        for id in renamed.keys { showPresence(of: id) }
    }

    /// The same for one more beacon, without a look at the others.
    mutating func addName(_ name: String, of id: BeaconID) {
        announce(id, name)
        named[id] = name
        if health.isWatched { showHealth(of: id) }
        showPresence(of: id)
    }

    /// Whether there are more names than are published, if that has changed since the last call.
    package mutating func takeLeftOut() -> Bool? {
        guard choice.hasLeftOut != toldLeftOut else { return nil }
        toldLeftOut.toggle()
        return toldLeftOut
    }

    private mutating func showPresence(of id: BeaconID) {
        guard knowsPresence else { return }
        let topic = topics.presence(id)
        let (state, told) = (present.contains(id) ? "present" : "absent", states[topic])
        // A beacon whose presence was published in this run has left.
        guard state == "present" || knowsAbsence || told != nil else { return }
        if told != state { states.set(topic, state) }
    }

    private mutating func withdraw(_ id: BeaconID) {
        states.clear(topics.presence(id))
        for message in discovery?.beacon(id, name: "") ?? [] { states.clear(message.topic) }
    }

    private mutating func announce(_ id: BeaconID, _ name: String) {
        for message in discovery?.beacon(id, name: name) ?? [] { announce(message) }
    }

    private mutating func announce(_ message: Publication) {
        states.set(message.topic, message.payload)
    }

    /// Publishes whether a beacon is in a region, after the ranking of the same tick.
    package mutating func update(regions new: [RegionState]) {
        guard knowsPresence else { return }
        let changes = regions.update(new, knowsAbsence: knowsAbsence)
        if regionTopics == nil || !changes.added.isEmpty || !changes.gone.isEmpty {
            regionTopics = regions.names.map { Set($0.map(topics.region)) }
        }
        for name in changes.gone {
            states.clear(topics.region(name))
            if let message = discovery?.region(name) { states.clear(message.topic) }
        }
        for name in changes.added {
            if let message = discovery?.region(name) { announce(message) }
        }
        // One that a former run has left is settled by its first state.
        if changes.states.contains(where: { states[topics.region($0.region.identifier)] == nil }) { examined = nil }
        for state in changes.states { states.set(topics.region(state.region.identifier), texts.region(state)) }
        clearStrays()
    }

    /// Publishes the health of beacons with names, if it is known, and of others with a problem.
    package mutating func update(_ new: EventHub.HealthState) {
        if case .unknown = new { return }
        let names = names
        let changed = health.update(new, most: Self.mostBeacons) { names.given($0) != nil }
        for beacon in changed.union(named.keys) { showHealth(of: beacon) }
        clearStrays()
    }

    private mutating func showHealth(of beacon: BeaconID) {
        let topic = topics.health(beacon)
        if let known = health.health(of: beacon, isNamed: named[beacon] != nil) {
            states.set(topic, texts.health(known))
        } else if states[topic] != nil {
            states.clear(topic)
        }
    }

    /// - Parameter snapshot: the current state.
    package mutating func update(_ snapshot: EventHub.Snapshot, at time: Timestamp) {
        scanner.update(snapshot, at: time)
        showScanner()
    }

    /// Takes the state of this machine's clock, compared with the fleet's.
    package mutating func update(_ clock: FleetClock.State) {
        if scanner.update(clock) { showScanner() }
    }

    private mutating func showScanner() {
        if let payload = scanner.payload(texts) { states.set(topics.scanner, payload) }
    }

    /// - Parameter json: the event in the form shared by every output.
    mutating func showContent(_ json: String) {
        states.set(topics.content, json)
    }

    /// The names of the site's list are known, or there is no site.
    package mutating func siteIsKnown() {
        guard !knowsSite else { return }
        knowsSite = true
        updateNames()
        adoptStrays()
        clearStrays()
    }

    // MARK: - From and to the broker

    /// A new connection: everything is published again.
    package mutating func connect(
        version: String, started: Timestamp, connected: Timestamp, waiting: Int, dropped: Int
    ) {
        strays.restart()
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

    /// The next message to publish; nil if all are published.
    package mutating func next() -> Publication? { states.next() }
}
