package import Beacon
package import Rooms
import Text

/// The topics of the fleet below a prefix, which all its scanners share.
package struct FleetTopics: Hashable, Sendable {
    /// Without a slash at the end.
    package let prefix: String
    /// The part of the beacons that a resolver works on; nil for all.
    package let shard: FleetShard?

    package init(prefix: String, shard: FleetShard? = nil) {
        self.prefix = prefix
        self.shard = shard
    }

    /// Whether this part of the fleet works on a beacon.
    package func isOwn(_ beacon: BeaconID) -> Bool { shard?.has(beacon) ?? true }

    package enum Message: Hashable, Sendable {
        case levels(host: String)
        case scanner(host: String)
        /// `online` or `offline`.
        case status(host: String)
        case room(BeaconID)
        /// A scanner's report on its beacons, each minute.
        case readings(host: String)
        case health
        case antennas
        /// A part of a checkpoint.
        case checkpoint
        case taught(hash: String)
        case plan
        /// `ResolverPresence`.
        case resolver(name: String)
        /// A scanner's question for the fleet's time.
        case clock(host: String)
        /// How a resolver receives each scanner.
        case hearing(resolver: String)
    }

    /// The topics that a resolver subscribes to.
    package var subscriptions: [String] {
        [
            "+/levels", "+/scanner", "+/status", "+/clock", "+/health", "rooms/+/+/+", "health/+/+/+",
            "fleet/resolvers/+",
        ].map { "\(prefix)/\($0)" } + [plan, lessons, antennas, checkpoint("+")]
    }

    /// The topics to subscribe to while teaching a room.
    package var lessonSubscriptions: [String] {
        ["+/levels", "rooms/+/+/+", "fleet/antennas/#"].map { "\(prefix)/\($0)" }
    }

    package var antennas: String { "\(prefix)/fleet/antennas\(part)" }

    private func checkpoint(_ number: String) -> String { "\(prefix)/fleet/checkpoint\(part)/\(number)" }

    package func checkpoint(_ number: Int) -> String { checkpoint("\(number)") }

    /// A further level for a part of the beacons.
    private var part: String { shard.map { "/\($0.number)-\($0.count)" } ?? "" }

    package var plan: String { "\(prefix)/fleet/plan" }

    package func room(_ beacon: BeaconID) -> String { "\(prefix)/rooms/\(beacon)" }

    /// The topic of a taught room. Its name may have characters that a topic must not have, so its hash is used.
    package func taught(_ room: RoomMap.Room) -> String {
        "\(prefix)/fleet/taught/\(shortDigest("\(room.floor)/\(room.name)".utf8))"
    }

    /// The topics of all taught rooms.
    package var lessons: String { "\(prefix)/fleet/taught/+" }

    /// How many beacons are in a room, for Home Assistant.
    ///
    /// - Parameter room: one level of a topic.
    package func occupancy(_ room: String) -> String { "\(prefix)/fleet/occupancy/\(room)" }

    package func health(_ beacon: BeaconID) -> String { "\(prefix)/health/\(beacon)" }

    package func resolver(_ name: String) -> String { "\(prefix)/fleet/resolvers/\(name)" }

    package func hearing(_ resolver: String) -> String { "\(prefix)/fleet/resolvers/\(resolver)/scanners" }

    package func levels(_ host: String) -> String { "\(prefix)/\(host)/levels" }

    package func scanner(_ host: String) -> String { "\(prefix)/\(host)/scanner" }

    package func status(_ host: String) -> String { "\(prefix)/\(host)/status" }

    package func clock(_ host: String) -> String { "\(prefix)/\(host)/clock" }

    package func clockAnswer(_ host: String) -> String { "\(prefix)/\(host)/clock/answer" }

    /// The maximum size, in bytes, of a message that resolvers read.
    package static let largestMessage = 128 << 10

    /// The maximum length, in bytes, of a scanner's or a resolver's name. A topic with a longer name is ignored.
    package static let longestName = 256

    /// The kind of a message, by its topic; nil for other topics.
    package func message(_ topic: String) -> Message? {
        guard topic.hasPrefix(prefix + "/") else { return nil }
        let levels = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard levels.allSatisfy({ $0.utf8.count <= Self.longestName }) else { return nil }
        switch (levels.count, levels.first, levels.last) {
        case (4, "rooms", _): return BeaconID(levels.dropFirst().joined(separator: "/")).map(Message.room)
        case (4, "health", _): return .health
        case (2, "fleet", "antennas"): return .antennas
        case (2, "fleet", "plan"): return .plan
        case (3, "fleet", _) where levels[1] == "antennas": return .antennas
        case (3...4, "fleet", _) where levels[1] == "checkpoint": return .checkpoint
        case (3, "fleet", let hash?) where levels[1] == "taught": return .taught(hash: String(hash))
        case (3, "fleet", let name?) where levels[1] == "resolvers": return .resolver(name: String(name))
        case (4, "fleet", "scanners") where levels[1] == "resolvers": return .hearing(resolver: String(levels[2]))
        case (2, let host?, "clock"): return .clock(host: String(host))
        case (2, let host?, "health"): return .readings(host: String(host))
        case (2, let host?, "levels"): return .levels(host: String(host))
        case (2, let host?, "scanner"): return .scanner(host: String(host))
        case (2, let host?, "status"): return .status(host: String(host))
        default: return nil
        }
    }
}
