import Beacon
package import Broker
package import FleetFormat
package import Rooms

/// The rooms of all beacons, from and to the messages of a broker. A plain value: messages and seconds in, messages out.
///
/// Resolvers know of each other by what the broker retains. One that starts beside another takes over its answers, and
/// publishes none of its own until it has heard as much as the other.
package struct FleetResolver: Sendable {
    /// Seconds of the fleet for which a newcomer publishes nothing where there is another resolver.
    package static let apprenticeship = 150
    /// Seconds of the own clock that retained messages have to arrive before anything is resolved.
    package static let arrival = 2.0

    package let topics: FleetTopics
    package let name: String
    /// What the broker should retain.
    package private(set) var states = RetainedStates()
    /// Messages that could not be read.
    package private(set) var unreadable = 0
    /// The last of them, for people: the topic and the reason.
    package private(set) var lastUnreadable: String?

    private var places: [String: ScannerPlace] = [:]
    /// What the broker retains of each beacon, as far as it has told.
    private var retained: [BeaconID: RoomContinuation.Known] = [:]
    private var antennas: [String: Double] = [:]
    private var resolver = RoomResolver(RoomMap([]))
    private var barrier = SecondBarrier()
    private var isMapNew = true
    /// Other resolvers that publish answers.
    private var others: Set<String> = []
    private var resolved = 0
    /// By the own clock: the connection, and the last message of a scanner.
    private var connected: Double?
    private var lastHeard: Double?

    package init(prefix: String, name: String) {
        topics = FleetTopics(prefix: prefix)
        self.name = name
    }

    /// Whether this one publishes answers. Otherwise it has just started beside another that does, and learns.
    package private(set) var isAnswering = false

    /// What is known of all beacons.
    package var answers: [RoomAnswer] { resolver.answers }

    package var scanners: [ScannerPlace] { places.values.sorted { $0.scanner < $1.scanner } }

    // MARK: - From the broker

    /// A new connection. What others have told meanwhile counts more than what was known before.
    package mutating func connect(at now: Double) {
        (connected, resolved, isAnswering, isMapNew) = (now, 0, false, true)
        (states, retained, others) = (RetainedStates(), [:], [])
        tellPresence()
    }

    private mutating func tellPresence() {
        states.set(topics.resolver(name), isAnswering ? FleetTopics.answering : FleetTopics.learning)
    }

    package mutating func take(_ topic: String, _ payload: [UInt8], at now: Double) {
        guard let message = topics.message(topic) else { return }
        do throws(FleetMessageError) {
            switch message {
            case .levels(let host):
                let report = try LevelsMessage(json: payload).heard(by: host)
                guard places[host] != nil, barrier.add(report) else { return }
                lastHeard = now
                // At once, so that what is complete does not depend on how messages are read together.
                resolve(at: now)
            case .scanner(let host) where payload.isEmpty: place(nil, of: host)
            case .scanner(let host): place(try ScannerMessage(json: payload, host: host).place, of: host)
            case .status(let host): if payload != Array("online".utf8) { barrier.leave(host) }
            case .room: if !payload.isEmpty { adopt(try RoomMessage.known(json: payload)) }
            case .antennas: adopt(try AntennasMessage.proposal(json: payload))
            case .resolver(let name): note(name, isAnswering: payload == Array(FleetTopics.answering.utf8))
            }
        } catch {
            unreadable += 1
            lastUnreadable = "\(topic): \(error)"
        }
    }

    private mutating func place(_ place: ScannerPlace?, of host: String) {
        guard places[host] != place, place == nil || places.count < RoomMap.mostScanners || places[host] != nil else { return }
        places[host] = place
        isMapNew = true
    }

    private mutating func note(_ other: String, isAnswering: Bool) {
        guard other != name else { return }
        if isAnswering, others.count < 100 { others.insert(other) } else { others.remove(other) }
    }

    /// What another resolver, or this one before it was restarted, has told.
    private mutating func adopt(_ answer: RoomContinuation.Known) {
        guard retained[answer.beacon] != nil || retained.count < RoomResolver.mostBeacons else { return }
        retained[answer.beacon] = answer
        // One that answers has told it itself, or another has told the same.
        if resolved > 0, !isAnswering || resolver.level(of: answer.beacon) == nil { resolver.adopt(answer) }
    }

    /// Also what this one has proposed comes back: in the order of the broker, which is the same for all.
    private mutating func adopt(_ proposal: AntennaProposal) {
        antennas = proposal.antennas
        resolver.adopt(proposal)
    }

    // MARK: - Seconds

    /// Works through the seconds that are complete.
    ///
    /// - Parameter now: seconds of any clock that goes on steadily.
    package mutating func resolve(at now: Double) {
        guard let connected, now - connected >= Self.arrival else { return }
        while let (second, reports) = barrier.next() { resolve(second, reports) }
        // Where no scanner is there any more, time goes on by the own clock.
        while let last = lastHeard, now - last > Double(SecondBarrier.longestPause), let (second, reports) = barrier.idle()
        {
            lastHeard = last + 1
            resolve(second, reports)
        }
    }

    private mutating func resolve(_ second: Int64, _ reports: [ScannerSecond]) {
        // A building does not change each second, whatever somebody publishes.
        if isMapNew, resolved == 0 || second % 10 == 0 { renewMap() }
        let changes = resolver.resolve(second, reports)
        resolved += 1
        if isAnswering {
            publish(changes)
        } else if others.isEmpty || resolved >= Self.apprenticeship {
            // Also what changed while nobody told it.
            isAnswering = true
            tellPresence()
            publish(resolver.answers.filter { isNews($0) })
        }
        guard second % 60 == 59, isAnswering else { return }
        if let proposal = resolver.proposal { states.set(topics.antennas, AntennasMessage.json(proposal)) }
        clearForgotten()
    }

    /// Scanners have come, gone or moved.
    private mutating func renewMap() {
        isMapNew = false
        var before = resolver.continuation
        if resolved == 0 {
            before.beacons.removeAll { retained[$0.beacon] != nil }
            before.beacons = (before.beacons + retained.values).sorted { $0.beacon < $1.beacon }
        }
        for (scanner, decibels) in antennas where before.antennas[scanner] == nil { before.antennas[scanner] = decibels }
        resolver = RoomResolver(RoomMap(scanners), continuing: before)
    }

    /// Whether the broker retains something else about a beacon.
    private func isNews(_ answer: RoomAnswer) -> Bool {
        guard let told = retained[answer.beacon] else { return true }
        return told.room != answer.room || told.unknown != answer.unknown
    }

    private mutating func publish(_ answers: [RoomAnswer]) {
        for answer in answers {
            guard answer.room != nil || answer.unknown != nil, let level = resolver.level(of: answer.beacon) else { continue }
            states.set(topics.room(answer.beacon), RoomMessage(answer, level: level).json)
        }
    }

    /// A beacon that nobody has heard for long is no longer told of.
    private mutating func clearForgotten() {
        for beacon in retained.keys where resolver.level(of: beacon) == nil {
            states.clear(topics.room(beacon))
            retained[beacon] = nil
        }
    }

    /// The next message to publish; nil if there is none.
    package mutating func nextPublication() -> Publication? { states.next() }
}
