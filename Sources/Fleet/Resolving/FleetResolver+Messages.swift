import Beacon
import FleetFormat
import Rooms
import Text

// Messages from the broker.
extension FleetResolver {
    /// - Parameter payload: nil for one that is too large, which must not count as empty.
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
                let jumps = barrier.jumps
                let isTaken = barrier.add(report)
                // Scanners that are silent may count as being there again.
                if barrier.jumps != jumps { watch.lookAgain() }
                guard isTaken else { return }
                lastHeard = now
                // At once, so that it does not depend on how messages are batched which seconds are complete.
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
                let presence = ResolverPresence(payload)
                guard name != self.name else {
                    // A former run has left `offline` there.
                    if let presence, presence.state != .offline { echoNotice.hear() }
                    break
                }
                let isAnswering = presence == ResolverPresence(.answering, of: topics.shard)
                others.note(name, isAnswering: isAnswering)
            case .clock, .hearing: break
            }
            readable += 1
        } catch {
            unreadable += 1
            lastUnreadable = "\(excerpt(topic)): \(error)"
        }
    }

    /// Takes the answer of another resolver, or of this one before it was restarted.
    mutating func adopt(_ answer: RoomContinuation.Known) {
        guard retained.adopt(answer) else { return }
        guard topics.isOwn(answer.beacon) else {
            // A resolver that learns announces everything when it begins to answer.
            if isAnswering { announce { $0.take([RoomAnswer(answer)]) } }
            return
        }
        // A resolver that answers has published it itself, or another has published the same.
        guard resolved > 0 else { return }
        if !isAnswering || resolver.level(of: answer.beacon) == nil {
            resolver.adopt(answer)
        } else {
            resolver.adopt(answer.spot, of: answer.beacon, in: answer.room)
        }
    }

    /// The broker no longer retains anything about a beacon.
    mutating func remove(_ beacon: BeaconID) {
        guard retained.remove(beacon) else { return }
        if isAnswering, !topics.isOwn(beacon) { announce { $0.forget(beacon) } }
    }

    /// This resolver's own proposal comes back too, in the broker's order, which is the same for all.
    mutating func adopt(_ proposal: AntennaProposal) {
        antennas = proposal.antennas
        agreed = proposal
        resolver.adopt(proposal)
    }
}
