package import Beacon
package import Broker
package import FleetFormat
package import Rooms
import Settings
import Text

/// Makes scanners of a fleet of others' nodes. A plain value: what they say and instants in, messages out.
package struct FleetBridge: Sendable {
    /// Nodes, at most: nobody can fill the memory with names.
    package static let mostNodes = 256
    /// Seconds for which a reading of ESPresense counts: its nodes tell the same again only after five seconds.
    package static let hold = 6.0
    /// Seconds without a word after which a node of ESPresense is gone. It says something every 15 s.
    static let longestSilence = 60.0

    package let topics: FleetTopics
    /// What it reads besides: which names scanners have.
    package var subscriptions: [String] { [topics.scanner("+")] }
    /// As in topics.
    package let name: String
    private let espresense: String?
    private let places: [String: ScannerPlace]

    private var nodes: [String: BridgeNode] = [:]
    /// The seconds of the steady clock at which nodes of ESPresense said something.
    private var lastWords: [String: Double] = [:]
    private var states = RetainedStates()
    private var clock = FleetClock.State()
    private var second: Int64?
    private var notices: [String] = []
    private var hasToldUnreadable = false
    /// Scanners that publish for themselves: nodes of the same name are left out.
    private var scanners: Set<String> = []
    private var leftOut: Set<String> = []
    /// Nodes that the broker retains of a former run of this bridge, which may have been killed, and when they were
    /// found, by the steady clock.
    private var former: [String: Double] = [:]

    private static let mostNotices = 50

    /// - Parameters:
    ///   - places: where nodes stand. One without a place is a room of its name.
    ///   - espresense: the first levels of the topics of ESPresense; nil for none.
    package init(prefix: String, name: String, places: [ScannerPlace], espresense: String? = nil) {
        topics = FleetTopics(prefix: prefix)
        self.name = name
        self.espresense = espresense
        self.places = Dictionary(places.map { (Topics.level($0.scanner), $0) }) { first, _ in first }
    }

    /// What people should know, since the last call.
    package mutating func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    private mutating func tell(_ notice: String) {
        if notices.count < Self.mostNotices { notices.append(notice) }
    }

    // MARK: - Nodes

    /// A node listens.
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

    /// A node is there, and cannot receive.
    package mutating func blind(_ name: String, _ reason: String, at time: Timestamp) {
        guard let node = nodes[Topics.level(name)] else { return }
        change(name, .blind(reason), source: node.source, hold: 0, at: time)
    }

    /// A node is not there any more.
    package mutating func lose(_ name: String, _ reason: String, at time: Timestamp) {
        guard let node = nodes[Topics.level(name)] else { return }
        change(name, .gone(reason), source: node.source, hold: 0, at: time)
    }

    private mutating func change(
        _ name: String, _ state: BridgeNode.State, source: String, hold: Double, at time: Timestamp
    ) {
        let host = Topics.level(name)
        if nodes[host] == nil {
            guard nodes.count < Self.mostNodes, !isTaken(host, name) else { return }
            former[host] = nil
            nodes[host] = BridgeNode(place(name, host), source: source, hold: hold, state: state, at: time)
        } else if nodes[host]?.change(state, at: time) != true {
            return
        }
        tell("\(excerpt(name)): \(state == .listening ? "listening" : state.detail)")
        show(host, at: time)
    }

    /// Whether a scanner has the name already, which is then told once.
    private mutating func isTaken(_ host: String, _ name: String) -> Bool {
        guard scanners.contains(host) else { return false }
        if leftOut.count < Self.mostNodes, leftOut.insert(host).inserted {
            tell(
                "\(excerpt(name)) is left out, for a scanner has this name: give the node another one, or remove what "
                    + "is retained on \(topics.scanner(host))")
        }
        return true
    }

    /// What a scanner says of itself, from the broker.
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
            if !places.isEmpty { tell("\(excerpt(name)) has no place in the file, and is a room of its name") }
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

    /// What nodes of ESPresense publish, and scanners.
    ///
    /// - Parameter now: seconds of any clock that goes on steadily.
    package mutating func take(_ topic: String, _ payload: [UInt8], at time: Timestamp, now: Double) {
        if case .scanner(let host) = topics.message(topic) { return note(payload, of: host, now: now) }
        guard let espresense else { return }
        do throws(FleetMessageError) {
            guard let message = try ESPresenseMessage(topic, payload, prefix: espresense) else { return }
            take(message, at: time, now: now)
        } catch {
            // Once: whoever publishes nonsense could fill the log.
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
            // The measured power is not told, and no room depends on it.
            let sighting = Sighting(
                time: time, rssi: Int8(level.rounded()), beacon: IBeacon(id: beacon, measuredPower: -59))
            hear(node, [sighting])
        }
    }

    private mutating func hearWord(_ node: String, version: String?, at time: Timestamp, now: Double) {
        let host = Topics.level(node)
        guard lastWords[host] != nil || lastWords.count < Self.mostNodes else { return }
        lastWords[host] = now
        begin(node, source: "espresense:\(node)", version: version, hold: Self.hold, at: time)
    }

    // MARK: - Time

    /// - Parameters:
    ///   - time: this machine's clock.
    ///   - now: seconds of any clock that goes on steadily.
    ///   - isSettled: whether it is decided what the correction is.
    /// - Returns: levels to publish now or never.
    package mutating func tick(
        at time: Timestamp, now: Double, clock: FleetClock.State, isSettled: Bool
    ) -> [Publication] {
        for (host, last) in lastWords where now - last > Self.longestSilence {
            lastWords[host] = nil
            lose(host, "it has said nothing for a minute", at: time)
        }
        for (host, found) in former where now - found > Self.longestSilence {
            former[host] = nil
            states.set(topics.status(host), "offline")
            tell("\(excerpt(host)) was there before this program was started, and has said nothing since")
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

    /// A new connection: it is not known what the broker retains.
    package mutating func connect() {
        states.set(topics.status(name), "online")
        states.forgetTold()
    }

    /// An orderly end.
    package mutating func end() {
        for host in Array(nodes.keys) + former.keys { states.set(topics.status(host), "offline") }
        states.set(topics.status(name), "offline")
    }

    package mutating func nextState() -> Publication? { states.next() }
}
