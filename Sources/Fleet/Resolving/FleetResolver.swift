package import Beacon
package import Broker
package import FleetFormat
package import Health
package import Rooms
import Text

/// The rooms of all beacons, from and to the messages of a broker. A plain value: messages and seconds in, messages out.
///
/// Resolvers know of each other by what the broker retains. One that starts beside another takes over its answers, and
/// publishes none of its own until it could go on from a checkpoint of the other.
package struct FleetResolver: Sendable {
    /// Seconds of the fleet for which a newcomer publishes nothing where there is another resolver, and no checkpoint of
    /// it that can be used.
    package static let apprenticeship = 150
    /// Seconds for which a checkpoint is better than none, where nobody has worked since.
    static let checkpointAge: Int64 = 600
    /// Seconds of the fleet after which a newcomer says how it hears the scanners; then once a minute.
    static let firstHearing = 5
    /// Seconds of the own clock that retained messages have to arrive before anything is resolved.
    package static let arrival = 2.0

    /// The same until what was not told again counts as removed. A broker that was restarted may have forgotten
    /// everything, and has it again when all scanners are back: they try it at least every 15 s.
    package static let confirmation = 20.0

    package let topics: FleetTopics
    package let name: String
    /// What the broker should retain.
    package private(set) var states = RetainedStates()
    /// Messages that could not be read.
    package private(set) var unreadable = 0
    /// The last of them, for people: the topic and the reason.
    package private(set) var lastUnreadable: String?

    /// What Home Assistant is told; nil for nothing.
    package var announcements: RoomAnnouncements?
    /// What scanners say of themselves.
    private var watch = FleetScanners()
    private var collector = CheckpointCollector()
    /// Messages that could be read.
    private var readable = 0
    /// The last second that was worked through.
    private var lastSecond: Int64?

    private var building = FleetBuilding()
    private var notices = ScannerNotices()
    private var checkpointNotice = CheckpointNotice()
    private var retained: RetainedRooms
    private var antennas: [String: Double] = [:]
    /// What the broker retains for the antennas.
    private var agreed: AntennaProposal?
    private var resolver = RoomResolver(RoomMap([]))
    private var fleetHealth = FleetHealth()
    private var barrier = SecondBarrier()
    private var others = OtherResolvers()
    private var resolved = 0
    /// By the own clock: the connection, and the last message of a scanner.
    private var connected: Double?
    private var lastHeard: Double?

    /// - Parameter shard: the part of the beacons that it works on; nil: all.
    package init(prefix: String, name: String, shard: FleetShard? = nil) {
        topics = FleetTopics(prefix: prefix, shard: shard)
        retained = RetainedRooms(topics)
        self.name = name
    }

    /// Whether this one publishes answers. Otherwise it has just started beside another that does, and learns.
    package private(set) var isAnswering = false

    /// What is known of all beacons: of those of other parts, what their resolvers tell.
    package var answers: [RoomAnswer] {
        guard topics.shard != nil else { return resolver.answers }
        return (resolver.answers + retained.others.map(RoomAnswer.init)).sorted { $0.beacon < $1.beacon }
    }

    /// The health of all beacons that scanners know, in their order.
    package var health: [BeaconHealth] { fleetHealth.beacons }

    package var scanners: [ScannerPlace] { building.scanners }

    /// What the outputs show.
    ///
    /// - Parameters:
    ///   - now: by the own clock.
    ///   - time: the same, since 1970.
    package mutating func snapshot(at now: Double, time: Timestamp) -> FleetSnapshot {
        var snapshot = FleetSnapshot(
            time: time, second: lastSecond, isAnswering: isAnswering, rooms: answers,
            scanners: watch.states(at: now, time: time, tallies: barrier.tallies), outlines: building.outlines, health: health)
        snapshot.counts.messages = readable
        snapshot.counts.unreadable = unreadable
        snapshot.counts.late = barrier.late
        return snapshot
    }

    /// What people should know, since the last call.
    package mutating func takeNotices() -> [String] { notices.take() + checkpointNotice.take() }

    // MARK: - From the broker

    /// A new connection. What others have told meanwhile counts more than what was known before.
    package mutating func connect(at now: Double) {
        (connected, resolved, isAnswering) = (now, 0, false)
        (states, others, collector) = (RetainedStates(), OtherResolvers(), CheckpointCollector())
        retained.connect()
        building.renew()
        fleetHealth.connect()
        watch.connect(at: now)
        announcements?.restart()
        tellPresence()
    }

    private mutating func tellPresence() {
        states.set(topics.resolver(name), ResolverPresence(isAnswering ? .answering : .learning, of: topics.shard).text)
    }

    /// - Parameter payload: nil for one that is too large, which must not be taken for an empty one.
    package mutating func take(_ topic: String, _ payload: [UInt8]?, at now: Double) {
        guard let message = topics.message(topic) else { return }
        do throws(FleetMessageError) {
            guard let payload else {
                throw FleetMessageError("is larger than \(FleetTopics.largestMessage >> 10) KiB")
            }
            switch message {
            case .levels(let host):
                let message = try LevelsMessage(json: payload)
                var report = message.heard(by: host)
                watch.hear(host, isBlind: report.isBlind, clock: message.clock, at: now)
                guard building.hasPlace(of: host) else { return }
                if topics.shard != nil {
                    report.heard.removeAll { !topics.isOwn($0.beacon) && $0.beacon.uuid != FleetBeacon.uuid }
                }
                guard barrier.add(report) else { return }
                lastHeard = now
                // At once, so that what is complete does not depend on how messages are read together.
                resolve(at: now)
            case .scanner(let host):
                let state = payload.isEmpty ? nil : try ScannerMessage(json: payload, host: host)
                building.place(state?.place, of: host)
                if state?.place == nil { barrier.forget(host) }
                watch.take(state, of: host, at: now)
            case .status(let host):
                guard payload != Array("online".utf8) else { break }
                for host in [host] + watch.nodes(of: host) {
                    barrier.leave(host)
                    watch.leave(host)
                }
            case .room(let beacon) where payload.isEmpty: remove(beacon)
            case .room: adopt(try RoomMessage.known(json: payload))
            case .readings(let host):
                let message = try HealthReadingsMessage(json: payload, host: host)
                if building.hasPlace(of: host) { fleetHealth.take(message.readings) }
            case .health:
                guard !payload.isEmpty else { break }
                fleetHealth.adopt(try BeaconHealthMessage(json: payload).health, isOwn: tellsHealth)
            case .antennas: adopt(try AntennasMessage.proposal(json: payload))
            case .plan: building.draw(payload.isEmpty ? [] : try PlanMessage.outlines(json: payload))
            case .taught(let hash) where payload.isEmpty: building.teach(nil, hash)
            case .taught(let hash): building.teach(try TaughtRoomMessage.taught(json: payload), hash)
            case .checkpoint: if !payload.isEmpty { collector.take(try CheckpointMessage.part(json: payload)) }
            case .resolver(let name):
                guard name != self.name else { break }
                let isAnswering = ResolverPresence(payload) == ResolverPresence(.answering, of: topics.shard)
                others.note(name, isAnswering: isAnswering)
            case .clock, .hearing: break
            }
            readable += 1
        } catch {
            unreadable += 1
            lastUnreadable = "\(excerpt(topic)): \(error)"
        }
    }

    /// What another resolver, or this one before it was restarted, has told.
    private mutating func adopt(_ answer: RoomContinuation.Known) {
        guard retained.adopt(answer) else { return }
        guard topics.isOwn(answer.beacon) else {
            // One that learns tells of all when it answers.
            if isAnswering { announce { $0.take([RoomAnswer(answer)]) } }
            return
        }
        // One that answers has told it itself, or another has told the same.
        guard resolved > 0 else { return }
        if !isAnswering || resolver.level(of: answer.beacon) == nil {
            resolver.adopt(answer)
        } else {
            resolver.adopt(answer.spot, of: answer.beacon, in: answer.room)
        }
    }

    /// The broker retains nothing of a beacon any more.
    private mutating func remove(_ beacon: BeaconID) {
        guard retained.remove(beacon) else { return }
        if isAnswering, !topics.isOwn(beacon) { announce { $0.forget(beacon) } }
    }

    /// Also what this one has proposed comes back: in the order of the broker, which is the same for all.
    private mutating func adopt(_ proposal: AntennaProposal) {
        antennas = proposal.antennas
        agreed = proposal
        resolver.adopt(proposal)
    }

    // MARK: - Seconds

    /// Works through the seconds that are complete.
    ///
    /// - Parameter now: seconds of any clock that goes on steadily.
    package mutating func resolve(at now: Double) {
        guard let connected, now - connected >= Self.arrival else { return }
        if now - connected >= Self.confirmation { forgetUnconfirmed(at: now) }
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
        if building.isNew, resolved == 0 || second % 10 == 0 { renewMap(second) }
        let changes = resolver.resolve(second, reports)
        resolved += 1
        lastSecond = second
        if second % 60 == 59 || resolved == Self.firstHearing { tellHearing(second) }
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

    /// From now on it publishes: first what has changed while nobody told it.
    private mutating func answer() {
        isAnswering = true
        others.join()
        collector.forgetSeconds()
        tellPresence()
        publish(resolver.answers.filter { isNews($0) })
        announceAll()
    }

    /// Goes on from where the others were at the end of the last minute.
    ///
    /// - Returns: whether it did. Then it knows the same as they do.
    private mutating func takeOver() -> Bool {
        guard let (checkpoint, later) = collector.handover, var taken = RoomResolver(resolver.map, from: checkpoint) else {
            return false
        }
        if let agreed, agreed.second > checkpoint.second { taken.adopt(agreed) }
        for (second, reports) in later { _ = taken.resolve(second, reports) }
        resolver = taken
        return true
    }

    private mutating func tellCheckpoint(_ second: Int64) {
        let checkpoint = resolver.checkpoint(second)
        let parts = CheckpointMessage.parts(checkpoint)
        checkpointNotice.look(parts: parts.count, beacons: checkpoint.followed.count)
        for (number, part) in parts.enumerated() { states.set(topics.checkpoint(number), part) }
        for number in collector.retainedParts where number >= parts.count { states.clear(topics.checkpoint(number)) }
    }

    /// How each scanner is heard.
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

    /// Scanners have come, gone or moved.
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
        for (scanner, decibels) in antennas where before.antennas[scanner] == nil { before.antennas[scanner] = decibels }
        resolver = RoomResolver(map, continuing: before, after: resolver)
    }

    /// Goes on from a checkpoint that the broker has kept, and with what was told after it.
    private mutating func restart(_ map: RoomMap, _ second: Int64) -> Bool {
        guard let checkpoint = collector.checkpoint, (0...Self.checkpointAge).contains(second &- checkpoint.second),
            let kept = RoomResolver(map, from: checkpoint)
        else { return false }
        resolver = kept
        for known in retained.own where known.since > checkpoint.second || resolver.level(of: known.beacon) == nil {
            resolver.adopt(known)
        }
        if let agreed { resolver.adopt(agreed) }
        return true
    }

    /// Whether the broker retains something else about a beacon.
    private func isNews(_ answer: RoomAnswer) -> Bool {
        guard let told = retained[answer.beacon] else { return true }
        return told.room != answer.room || told.unknown != answer.unknown || told.spot != answer.spot
    }

    private mutating func publish(_ answers: [RoomAnswer]) {
        for answer in answers {
            guard answer.room != nil || answer.unknown != nil, let level = resolver.level(of: answer.beacon) else { continue }
            states.set(topics.room(answer.beacon), RoomMessage(answer, level: level).json)
            retained.publish(answer.beacon)
        }
        announce { $0.take(answers) }
    }

    private mutating func announce(_ change: (inout RoomAnnouncements) -> [Publication]) {
        guard var changed = announcements else { return }
        announcements = nil
        for publication in change(&changed) { states.set(publication.topic, publication.payload) }
        announcements = changed
    }

    private mutating func announceAll() {
        guard announcements != nil else { return }
        let answers = self.answers
        let rooms = Set(resolver.map.rooms)
        announce { $0.take(answers) + $0.take(rooms: rooms) }
    }

    /// Whether this one publishes the health of beacons: it has seen as much as those that were there before it. Of
    /// several that have come together nobody waits for another.
    private var tellsHealth: Bool {
        isAnswering && (!others.hasElders || fleetHealth.judged >= FleetHealth.apprenticeship)
    }

    /// A beacon that nobody has heard for long is no longer told of.
    private mutating func clearForgotten() {
        for beacon in retained.takeForgotten({ [resolver] in resolver.level(of: $0) != nil }) {
            states.clear(topics.room(beacon))
            announce { $0.forget(beacon) }
        }
    }

    /// The next message to publish; nil if there is none.
    package mutating func nextPublication() -> Publication? { states.next() }
}
