package import Beacon
package import Broker
package import FleetFormat
package import Health
package import Rooms
import Text

/// Resolves the rooms of all beacons from a broker's messages. A plain value: messages and seconds in, messages out.
///
/// Resolvers know each other by their retained messages. One that starts beside another takes over its answers, and
/// publishes none of its own until it can continue from the other's checkpoint.
package struct FleetResolver: Sendable {
    /// Seconds of the fleet for which a new resolver publishes nothing if there is another one without a usable
    /// checkpoint.
    package static let apprenticeship = 150
    /// The greatest age, in seconds, of a checkpoint that is used if no resolver has run since.
    static let checkpointAge: Int64 = 600
    /// Seconds of the fleet after which a new resolver first publishes how it receives the scanners; then once a
    /// minute.
    static let firstHearing = 5
    /// Seconds of the resolver's own clock in which retained messages arrive before anything is resolved.
    package static let arrival = 2.0

    /// The same until what was not received again counts as removed. A restarted broker may have forgotten everything,
    /// and has it again when all scanners are back: they try to connect at least every 15 s.
    package static let confirmation = 20.0

    package let topics: FleetTopics
    package let name: String
    /// What the broker should retain.
    package internal(set) var states = RetainedStates()
    /// Messages that could not be read.
    package internal(set) var unreadable = 0
    /// The last of them, for people: the topic and the reason.
    package internal(set) var lastUnreadable: String?

    /// What to publish for Home Assistant; nil for nothing.
    package var announcements: RoomAnnouncements?
    /// The scanners' own states.
    var watch = FleetScanners()
    var collector = CheckpointCollector()
    /// Messages that could be read.
    var readable = 0
    /// The last second that was resolved.
    var lastSecond: Int64?

    var building = FleetBuilding()
    var notices = ScannerNotices()
    var checkpointNotice = CheckpointNotice()
    var planNotice = PlanNotice()
    var echoNotice: EchoNotice
    var retained: RetainedRooms
    var antennas: [String: Double] = [:]
    /// The antenna offsets that the broker retains.
    var agreed: AntennaProposal?
    var resolver = RoomResolver(RoomMap([]))
    var fleetHealth = FleetHealth()
    var barrier = SecondBarrier()
    var others = OtherResolvers()
    var resolved = 0
    /// By the resolver's own clock: the time of the connection, and of the last message of a scanner.
    var connected: Double?
    var lastHeard: Double?

    /// - Parameter shard: the part of the beacons that it works on; nil for all.
    package init(prefix: String, name: String, shard: FleetShard? = nil) {
        topics = FleetTopics(prefix: prefix, shard: shard)
        retained = RetainedRooms(topics)
        echoNotice = EchoNotice(prefix: prefix)
        self.name = name
    }

    /// Whether it publishes answers. If not, it has just started beside another resolver that does, and learns.
    package internal(set) var isAnswering = false

    /// The answers for all beacons. Those for other parts come from their resolvers.
    package var answers: [RoomAnswer] {
        guard topics.shard != nil else { return resolver.answers }
        return (resolver.answers + retained.others.map(RoomAnswer.init)).sorted { $0.beacon < $1.beacon }
    }

    /// The health of all beacons that scanners know, in their order.
    package var health: [BeaconHealth] { fleetHealth.beacons }

    package var scanners: [ScannerPlace] { building.scanners }

    /// A snapshot for the outputs.
    ///
    /// - Parameters:
    ///   - now: seconds of the resolver's own clock.
    ///   - time: the same instant by the wall clock.
    package mutating func snapshot(at now: Double, time: Timestamp) -> FleetSnapshot {
        var snapshot = FleetSnapshot(
            time: time, second: lastSecond, isAnswering: isAnswering, rooms: answers,
            scanners: watch.states(at: now, time: time, tallies: barrier.tallies), outlines: building.outlines,
            health: health)
        snapshot.counts.messages = readable
        snapshot.counts.unreadable = unreadable
        snapshot.counts.late = barrier.late
        return snapshot
    }

    /// The messages for people since the last call.
    package mutating func takeNotices() -> [String] {
        notices.take() + planNotice.take() + checkpointNotice.take() + echoNotice.take()
    }

    // MARK: - From the broker

    /// There is a new connection. What others have published meanwhile replaces what was known before.
    package mutating func connect(at now: Double) {
        (connected, resolved, isAnswering) = (now, 0, false)
        (states, others, collector) = (RetainedStates(), OtherResolvers(), CheckpointCollector())
        retained.connect()
        building.renew()
        fleetHealth.connect()
        watch.connect(at: now)
        echoNotice.connect(at: now)
        announcements?.restart()
        tellPresence()
    }

    mutating func tellPresence() {
        states.set(topics.resolver(name), ResolverPresence(isAnswering ? .answering : .learning, of: topics.shard).text)
    }

    // MARK: - Seconds

    /// Resolves the seconds that are complete.
    ///
    /// - Parameter now: seconds of any monotonic clock.
    package mutating func resolve(at now: Double) {
        guard let connected, now - connected >= Self.arrival else { return }
        echoNotice.look(at: now)
        if now - connected >= Self.confirmation { forgetUnconfirmed(at: now) }
        // If most scanners fall silent at once, the seconds of the others would never be complete. All resolvers come
        // to the same seconds, because a silent scanner has no reports for them.
        if let lastHeard { for host in watch.takeSilent(while: lastHeard) { barrier.leave(host) } }
        while let (second, reports) = barrier.next() { resolve(second, reports) }
        // If no scanner is left, time continues by the resolver's own clock.
        while let last = lastHeard, now - last > Double(SecondBarrier.longestPause),
            let (second, reports) = barrier.idle()
        {
            lastHeard = last + 1
            resolve(second, reports)
        }
    }

    private mutating func resolve(_ second: Int64, _ reports: [ScannerSecond]) {
        // At most every ten seconds, however often somebody publishes another map.
        if building.isNew, resolved == 0 || second % 10 == 0 { renewMap(second) }
        let changes = resolver.resolve(second, reports)
        resolved += 1
        lastSecond = second
        if second % 60 == 59 || resolved == Self.firstHearing { tellHearing(second) }
        if second % 60 == 59 { planNotice.look(at: building.mismatch) }
        if isAnswering {
            publish(changes)
            if retained.isCrowded { clearForgotten() }
        } else {
            collector.add(second, reports)
            if others.isEmpty || takeOver() || resolved >= Self.apprenticeship { answer() }
        }
        if fleetHealth.resolve(second), tellsHealth { fleetHealth.publish(to: &states, topics) }
        guard second % 60 == 59, isAnswering else { return }
        if let proposal = resolver.proposal { states.set(topics.antennas, AntennasMessage.json(proposal)) }
        tellCheckpoint(second)
        clearForgotten()
        announceAll()
    }

    /// Publishes how it receives each scanner.
    private mutating func tellHearing(_ second: Int64) {
        let hearings = watch.hearings(barrier.tallies)
        notices.look(at: hearings, second: second, isSynchronised: watch.isSynchronised)
        states.set(topics.hearing(name), HearingMessage(second: second, scanners: hearings).json)
    }

    private mutating func forgetUnconfirmed(at now: Double) {
        for host in building.dropUnconfirmed() {
            barrier.forget(host)
            watch.take(nil, of: host, at: now)
        }
    }

    /// Scanners were added, removed or moved.
    private mutating func renewMap(_ second: Int64) {
        collector.forgetSeconds()
        let map = building.map()
        if resolved == 0, restart(map, second) { return }
        var before = resolver.continuation
        if resolved == 0 {
            let known = retained.own
            before.beacons.removeAll { retained[$0.beacon] != nil }
            before.beacons = (before.beacons + known).sorted { $0.beacon < $1.beacon }
        }
        for (scanner, decibels) in antennas where before.antennas[scanner] == nil {
            before.antennas[scanner] = decibels
        }
        resolver = RoomResolver(map, continuing: before, after: resolver)
    }

    /// Whether it publishes the health of beacons: it has seen as much as the resolvers that were there before it.
    /// Resolvers that started together do not wait for each other.
    var tellsHealth: Bool {
        isAnswering && (!others.hasElders || fleetHealth.judged >= FleetHealth.apprenticeship)
    }

    /// The next message to publish; nil if there is none.
    package mutating func nextPublication() -> Publication? { states.next() }
}
