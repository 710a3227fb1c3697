package import Beacon
package import FleetFormat
package import Rooms

/// The scanners and resolvers of a fleet, by what the broker retains. A plain value.
package struct FleetView: Sendable {
    package struct Scanner: Hashable, Sendable {
        package enum State: String, Sendable {
            case ok, blind, offline
        }

        package var name: String
        package var state: State
        /// Nil if its configuration has no room.
        package var room: String?
        package var floor: Int?
        package var position: Position?
        package var version: String?
        package var revision: Int64?
        package var blindSince: Timestamp?
        /// Milliseconds to add to its clock; nil if unknown.
        package var clock: Int?
        package var isSynchronised: Bool?
        /// The newest second that any resolver received from it; nil if none has.
        package var lastHeard: Int64?
        /// Messages that did not count, since the resolver was started.
        package var lost: Int?
    }

    package struct Resolver: Hashable, Sendable {
        package var name: String
        package var presence: ResolverPresence
        /// The last second that it reported as resolved.
        package var second: Int64?
    }

    private static let mostNames = 2 * RoomMap.mostScanners

    private let topics: FleetTopics
    private var messages: [String: ScannerMessage] = [:]
    private var isOnline: [String: Bool] = [:]
    private var resolverStates: [String: ResolverPresence] = [:]
    private var hearings: [String: HearingMessage] = [:]
    /// By the hash in the topic; empty unless lessons are read.
    private var taught: [String: RoomMap.Room] = [:]
    private let readsLessons: Bool

    /// - Parameter readsLessons: whether to read what was taught, too.
    package init(prefix: String, readsLessons: Bool = false) {
        topics = FleetTopics(prefix: prefix)
        self.readsLessons = readsLessons
    }

    /// The topics to subscribe to.
    package var subscriptions: [String] {
        [topics.scanner("+"), topics.status("+"), topics.resolver("+"), topics.hearing("+")]
            + (readsLessons ? [topics.lessons] : [])
    }

    package mutating func take(_ topic: String, _ payload: [UInt8]) {
        switch topics.message(topic) {
        case .scanner(let host): Self.set(&messages, host, try? ScannerMessage(json: payload, host: host))
        case .status(let host): Self.set(&isOnline, host, payload.isEmpty ? nil : payload == Array("online".utf8))
        case .resolver(let name): Self.set(&resolverStates, name, ResolverPresence(payload))
        case .hearing(let name): Self.set(&hearings, name, try? HearingMessage(json: payload))
        case .taught(let hash): Self.set(&taught, hash, try? TaughtRoomMessage.taught(json: payload).room)
        default: break
        }
    }

    private static func set<Value>(_ values: inout [String: Value], _ name: String, _ value: Value?) {
        guard value == nil || values[name] != nil || values.count < mostNames else { return }
        values[name] = value
    }

    /// Rooms that only the plan names, or only the scanners.
    package func mismatch(with outlines: [RoomOutline]) -> PlanMismatch {
        PlanMismatch(outlines: outlines, scanners: messages.values.compactMap(\.place), taught: taught.values)
    }

    /// By name.
    package var resolvers: [Resolver] {
        resolverStates.sorted { $0.key < $1.key }.map { name, presence in
            Resolver(name: name, presence: presence, second: hearings[name]?.second)
        }
    }

    /// By floor, room and name; those without a room last.
    package var scanners: [Scanner] {
        let living = resolvers.filter { $0.presence.state != .offline }
        let hearings = living.compactMap { self.hearings[$0.name] }.sorted { $0.second > $1.second }
        return messages.map { name, message in
            let heard = hearings.compactMap { $0.scanners[name] }
            let newest = hearings.first { $0.scanners[name] != nil }
            let isGone = isOffline(name, message) || newest.map { Self.isSilent(name, message, $0) } ?? false
            return Scanner(
                name: name, state: isGone ? .offline : message.isBlind ? .blind : .ok,
                room: message.place?.room, floor: message.place?.floor, position: message.place?.position,
                version: message.version, revision: message.revision, blindSince: message.blindSince,
                clock: message.clock ?? heard.first?.clock, isSynchronised: message.isSynchronised,
                lastHeard: heard.compactMap(\.second).max(), lost: heard.first.map { $0.late + $0.ahead + $0.dropped })
        }.sorted { Self.order($0) < Self.order($1) }
    }

    private func isOffline(_ name: String, _ message: ScannerMessage) -> Bool {
        isOnline[name] == false || message.bridge.map { isOnline[$0] == false } ?? false
    }

    /// Whether a resolver has received nothing from it for so long that it counts as gone. A scanner that was killed
    /// together with the broker, or whose bridge was, has left no last will.
    private static func isSilent(_ name: String, _ message: ScannerMessage, _ hearing: HearingMessage) -> Bool {
        // The seconds of an uncorrected clock cannot be compared.
        guard let heard = hearing.scanners[name], let clock = heard.clock else { return false }
        let told = message.time.map { $0.seconds + Double(message.clock ?? clock) / 1000 }
        guard let last = [heard.second.map { Double($0) }, told].compactMap(\.self).max() else { return false }
        return Double(hearing.second) - last > FleetScanners.silence
    }

    private static func order(_ scanner: Scanner) -> (Int, Int, String, String) {
        (scanner.room == nil ? 1 : 0, scanner.floor ?? 0, scanner.room ?? "", scanner.name)
    }
}
