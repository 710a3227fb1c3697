import Beacon
import Broker
import FleetFormat
import Rooms

// What is published about rooms.
extension FleetResolver {
    /// Whether the answer differs from what the broker retains about the beacon.
    func isNews(_ answer: RoomAnswer) -> Bool {
        guard let told = retained[answer.beacon] else { return true }
        return told.room != answer.room || told.unknown != answer.unknown || told.spot != answer.spot
    }

    mutating func publish(_ answers: [RoomAnswer]) {
        for answer in answers {
            guard answer.room != nil || answer.unknown != nil, let level = resolver.level(of: answer.beacon) else {
                continue
            }
            states.set(topics.room(answer.beacon), RoomMessage(answer, level: level).json)
            retained.publish(answer.beacon)
        }
        announce { $0.take(answers) }
    }

    mutating func announce(_ change: (inout RoomAnnouncements) -> [Publication]) {
        guard var changed = announcements else { return }
        announcements = nil
        for publication in change(&changed) { states.set(publication.topic, publication.payload) }
        announcements = changed
    }

    mutating func announceAll() {
        guard announcements != nil else { return }
        let answers = self.answers
        let rooms = Set(resolver.map.rooms)
        announce { $0.take(answers) + $0.take(rooms: rooms) }
    }

    /// Removes the answers for beacons that have not been received for a long time.
    mutating func clearForgotten() {
        for beacon in retained.takeForgotten({ [resolver] in resolver.level(of: $0) != nil }) {
            states.clear(topics.room(beacon))
            announce { $0.forget(beacon) }
        }
    }
}
