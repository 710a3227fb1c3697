package import Beacon
package import Broker
package import FleetFormat
package import Rooms
import Settings
import Text

/// Turns nodes of other projects into scanners of a fleet. A plain value: the nodes' messages and instants in, messages
/// out.
package struct FleetBridge: Sendable {
    /// The maximum number of nodes, so that nobody can fill the memory with names. A new one takes the place of the one
    /// that has been gone longest, of those without a place and not of ESPHome if there are any.
    package static let mostNodes = 256
    /// Seconds for which an ESPresense reading counts: its nodes repeat an unchanged reading only after five seconds.
    package static let hold = 6.0
    /// Seconds without a message after which an ESPresense node counts as gone. It sends one every 15 s.
    static let longestSilence = 60.0

    package let topics: FleetTopics
    /// Further topics to subscribe to: the states of scanners, for their names.
    package var subscriptions: [String] { [topics.scanner("+")] }
    /// The bridge's name in topics.
    package let name: String
    private let espresense: String?
    private let places: [String: ScannerPlace]

    private var nodes: [String: BridgeNode] = [:]
    /// When each ESPresense node last sent something, in seconds of the monotonic clock.
    private var lastWords: [String: Double] = [:]
    private var states = RetainedStates()
    private var clock = FleetClock.State()
    private var second: Int64?
    private var notices: [String] = []
    private var hasToldUnreadable = false
    private var hasToldFull = false
    /// Scanners that publish for themselves. Nodes of the same name are left out.
    private var scanners: Set<String> = []
    private var leftOut: Set<String> = []
    /// Nodes that the broker retains from a former run of this bridge, which may have been killed, and when they were
    /// found, by the monotonic clock.
    private var former: [String: Double] = [:]

    private static let mostNotices = 50

    /// - Parameters:
    ///   - places: where nodes are. A node without a place is in a room of its own name.
    ///   - espresense: the first levels of ESPresense's topics; nil for no ESPresense.
    package init(prefix: String, name: String, places: [ScannerPlace], espresense: String? = nil) {
        topics = FleetTopics(prefix: prefix)
        self.name = name
        self.espresense = espresense
        self.places = Dictionary(places.map { (Topics.level($0.scanner), $0) }) { first, _ in first }
    }

    /// The messages for people since the last call.
    package mutating func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    private mutating func tell(_ notice: String) {
        if notices.count < Self.mostNotices { notices.append(notice) }
    }

    // MARK: - Nodes

    /// A node receives.
    package mutating func begin(
        _ name: String, source: String, version: String?, hold: Double = 0, at time: Timestamp
    ) {
        change(name, .listening, source: source, hold: hold, at: time)
        let host = Topics.level(name)
        if let version, nodes[host]?.version != version {
            nodes[host]?.version = version
            show(host, at: time)
        }
    }

    /// A node is connected, but cannot receive.
    package mutating func blind(_ name: String, _ reason: String, at time: Timestamp) {
        guard let node = nodes[Topics.level(name)] else { return }
        change(name, .blind(reason), source: node.source, hold: 0, at: time)
    }

    /// A node has gone.
    package mutating func lose(_ name: String, _ reason: String, at time: Timestamp) {
        guard let node = nodes[Topics.level(name)] else { return }
        change(name, .gone(reason), source: node.source, hold: 0, at: time)
    }

    private mutating func change(
        _ name: String, _ state: BridgeNode.State, source: String, hold: Double, at time: Timestamp
    ) {
        let host = Topics.level(name)
        if nodes[host] == nil {
            guard !isTaken(host, name) else { return }
            guard makeRoom() else { return tellFull(name) }
            former[host] = nil
            nodes[host] = BridgeNode(place(name, host), source: source, hold: hold, state: state, at: time)
        } else if nodes[host]?.change(state, at: time) != true {
            return
        }
        tell("\(excerpt(name)): \(state == .listening ? "listening" : state.detail)")
        show(host, at: time)
    }

    /// - Returns: whether there is room for one more node.
    private mutating func makeRoom() -> Bool {
        guard nodes.count >= Self.mostNodes else { return true }
        // Anybody can send names. The fleet should not stop reporting a configured node that is offline.
        let gone = nodes.filter { !$0.value.isOnline }
            .map { (isConfigured: isConfigured($0, $1) ? 1 : 0, since: $1.since, key: $0) }
            .min { $0 < $1 }
        guard let host = gone?.key else { return false }
        nodes[host] = nil
        // The broker forgets it, too. Otherwise it would retain any number of nodes.
        states.clear(topics.status(host))
        states.clear(topics.scanner(host))
        return true
    }

    /// Whether the node has a place, or was named as a proxy.
    private func isConfigured(_ host: String, _ node: BridgeNode) -> Bool {
        places[host] != nil || node.source.hasPrefix("esphome:")
    }

    /// Only once, because anybody can send any number of names.
    private mutating func tellFull(_ name: String) {
        guard !hasToldFull, notices.count < Self.mostNotices else { return }
        hasToldFull = true
        tell(
            "\(excerpt(name)) is left out, and so are others: a bridge has at most \(Self.mostNodes) nodes, and as "
                + "many are listening. See who publishes such names, or start a second bridge with another --name for "
                + "nodes below another prefix")
    }

    /// Whether a scanner already has the name, which is then reported once.
    private mutating func isTaken(_ host: String, _ name: String) -> Bool {
        guard scanners.contains(host) else { return false }
        if leftOut.count < Self.mostNodes, leftOut.insert(host).inserted {
            tell(
                "\(excerpt(name)) is left out, for a scanner has this name: give the node another one, or remove what "
                    + "is retained on \(topics.scanner(host))")
        }
        return true
    }

    /// Takes a scanner's state from the broker.
    private mutating func note(_ payload: [UInt8], of host: String, now: Double) {
        let message = try? ScannerMessage(json: payload, host: host)
        if message?.bridge == name, nodes[host] == nil {
            if former[host] == nil, former.count < Self.mostNodes { former[host] = now }
        } else {
            former[host] = nil
        }
        if payload.isEmpty || message?.bridge != nil {
            scanners.remove(host)
            leftOut.remove(host)
        } else if scanners.count < RoomMap.mostScanners {
            scanners.insert(host)
        }
    }

    private mutating func place(_ name: String, _ host: String) -> ScannerPlace {
        guard var place = places[host] else {
            if !places.isEmpty { tell("\(excerpt(name)) has no place in the file: its room gets its own name") }
            return ScannerPlace(scanner: host, room: name)
        }
        place.scanner = host
        return place
    }

    private mutating func show(_ host: String, at time: Timestamp) {
        guard let node = nodes[host] else { return }
        states.set(topics.scanner(host), node.json(bridge: name, clock: clock, at: time))
        states.set(topics.status(host), node.isOnline ? "online" : "offline")
    }

    package mutating func hear(_ node: String, _ sightings: [Sighting]) {
        nodes[Topics.level(node)]?.hear(sightings)
    }

    // MARK: - From the broker

    /// Takes a message of an ESPresense node or of a scanner.
    ///
    /// - Parameter now: seconds of any monotonic clock.
    package mutating func take(_ topic: String, _ payload: [UInt8], at time: Timestamp, now: Double) {
        if case .scanner(let host) = topics.message(topic) { return note(payload, of: host, now: now) }
        guard let espresense else { return }
        do throws(FleetMessageError) {
            guard let message = try ESPresenseMessage(topic, payload, prefix: espresense) else { return }
            take(message, at: time, now: now)
        } catch {
            // Only once, so that nobody can fill the log by publishing nonsense.
            if !hasToldUnreadable { tell("\(excerpt(topic)): \(error)") }
            hasToldUnreadable = true
        }
    }

    private mutating func take(_ message: ESPresenseMessage, at time: Timestamp, now: Double) {
        switch message {
        case .status(isOnline: false, let node):
            lastWords[Topics.level(node)] = nil
            lose(node, "ESPresense says that it is offline", at: time)
        case .status(isOnline: true, let node): hearWord(node, version: nil, at: time, now: now)
        case .telemetry(let version, let node): hearWord(node, version: version, at: time, now: now)
        case .otherDevice(let node): hearWord(node, version: nil, at: time, now: now)
        case .beacon(let beacon, let level, let node):
            hearWord(node, version: nil, at: time, now: now)
            // The node does not report the measured power, and no room depends on it.
            let sighting = Sighting(
                time: time, rssi: Int8(level.rounded()), beacon: IBeacon(id: beacon, measuredPower: -59))
            hear(node, [sighting])
        }
    }

    private mutating func hearWord(_ node: String, version: String?, at time: Timestamp, now: Double) {
        let host = Topics.level(node)
        guard lastWords[host] != nil || lastWords.count < Self.mostNodes else { return tellFull(node) }
        lastWords[host] = now
        begin(node, source: "espresense:\(node)", version: version, hold: Self.hold, at: time)
    }

    // MARK: - Time

    /// - Parameters:
    ///   - time: this machine's clock.
    ///   - now: seconds of any monotonic clock.
    ///   - isSettled: whether it is decided what the correction is.
    /// - Returns: levels to publish now, without a retry.
    package mutating func tick(
        at time: Timestamp, now: Double, clock: FleetClock.State, isSettled: Bool
    ) -> [Publication] {
        for (host, last) in lastWords where now - last > Self.longestSilence {
            lastWords[host] = nil
            lose(host, "it has sent nothing for a minute", at: time)
        }
        for (host, found) in former where now - found > Self.longestSilence {
            former[host] = nil
            states.set(topics.status(host), "offline")
            tell("\(excerpt(host)) was there before this program was started, and has sent nothing since")
        }
        if clock != self.clock {
            self.clock = clock
            for host in nodes.keys.sorted() { show(host, at: time) }
        }
        let seconds = time.seconds + Double(clock.milliseconds ?? 0) / 1000
        guard isSettled, seconds.magnitude < 1e12, Int64(seconds.rounded(.down)) != second else { return [] }
        second = Int64(seconds.rounded(.down))
        var publications: [Publication] = []
        for host in nodes.keys.sorted() {
            for message in nodes[host]?.take(at: time, clock: clock.milliseconds) ?? [] {
                publications.append(Publication(topic: topics.levels(host), payload: message.json, isRetained: false))
            }
        }
        return publications
    }

    // MARK: - The broker

    /// There is a new connection. What the broker retains is unknown.
    package mutating func connect() {
        states.set(topics.status(name), "online")
        states.forgetTold()
    }

    /// Ends in order: all nodes are offline.
    package mutating func end() {
        for host in Array(nodes.keys) + former.keys { states.set(topics.status(host), "offline") }
        states.set(topics.status(name), "offline")
    }

    package mutating func nextState() -> Publication? { states.next() }

    /// Whether there is no state to publish.
    package var isSettled: Bool { states.isSettled }
}
