import Beacon
package import FleetFormat
package import Rooms
package import Text

/// Teaches a room: somebody walks about in it with a beacon, and what the scanners publish meanwhile becomes a retained
/// message. A plain value: messages and seconds in, a result out.
package struct Teaching: Sendable {
    /// The levels of each beacon that matches the query: 1.7 may match several.
    private var lessons: [BeaconID: RoomLesson] = [:]
    private var levels: [BeaconID: Double] = [:]
    private var antennas: [String: Double] = [:]
    private var scanners: Set<String> = []
    private let topics: FleetTopics
    private let beacon: BeaconQuery

    /// Other beacons that are received, for the message that none matches.
    private var others: Set<BeaconID> = []

    /// The maximum number of beacons that match, and of others.
    private static let mostLessons = 20

    package init(_ beacon: BeaconQuery, topics: FleetTopics) {
        self.beacon = beacon
        self.topics = topics
    }

    /// Messages that cannot be read are ignored: the resolver reports them.
    package mutating func take(_ topic: String, _ payload: [UInt8]) {
        switch topics.message(topic) {
        case .levels(let host):
            guard let message = try? LevelsMessage(json: payload) else { return }
            take(message.heard(by: host))
        case .room:
            guard let known = try? RoomMessage.known(json: payload), beacon.matches(known.beacon, name: nil),
                levels[known.beacon] != nil || levels.count < Self.mostLessons
            else { return }
            levels[known.beacon] = known.level
        case .antennas:
            if let proposal = try? AntennasMessage.proposal(json: payload) { antennas = proposal.antennas }
        default: break
        }
    }

    /// One second of a scanner.
    package mutating func take(_ report: ScannerSecond) {
        if scanners.count < RoomMap.mostScanners { scanners.insert(report.scanner) }
        for heard in report.heard where lessons[heard.beacon] == nil {
            if beacon.matches(heard.beacon, name: nil) {
                if lessons.count < Self.mostLessons { lessons[heard.beacon] = RoomLesson(heard.beacon) }
            } else if others.count < Self.mostLessons {
                others.insert(heard.beacon)
            }
        }
        for beacon in lessons.keys { lessons[beacon]?.take(report) }
    }

    /// Whether any scanner has published levels.
    package var hasScanners: Bool { !scanners.isEmpty }

    /// The progress, for people.
    package var progress: String {
        guard hasScanners else { return "no scanner publishes levels" }
        guard let lesson = lessons.values.max(by: { ($0.seconds, $1.beacon) < ($1.seconds, $0.beacon) }) else {
            return "not heard; scanners: \(scanners.count)"
        }
        let strongest = lesson.heard.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(3)
            .map { "\(printable($0.key)) \(Int($0.value.rounded())) dBm" }
        return "heard for \(lesson.seconds) s; scanners: \(lesson.heard.count); \(strongest.joined(separator: ", "))"
    }

    /// What was learned.
    ///
    /// - Throws: `TeachingFailure`.
    package func taught(_ room: RoomMap.Room) throws(TeachingFailure) -> TaughtRoom {
        guard hasScanners else {
            throw TeachingFailure("no scanner publishes levels", "set fleet.room on the scanners")
        }
        let lesson: RoomLesson?
        do {
            lesson = lessons[try beacon.only(among: lessons.isEmpty ? others : Set(lessons.keys), names: [:])]
        } catch {
            throw TeachingFailure(error.problem, error.remedy)
        }
        // Only now, because retained messages may come after the first levels.
        let level = lesson.flatMap { levels[$0.beacon] }
        guard let lesson, let taught = lesson.room(room, level: level, antennas: antennas) else {
            throw TeachingFailure(
                "the beacon was heard for \(lesson?.seconds ?? 0) s, and \(RoomLesson.fewestSeconds) s are needed",
                "walk about in the room for two minutes")
        }
        return taught
    }
}

/// Why a room could not be taught, and what to do.
package struct TeachingFailure: ExplainedError, Hashable {
    package let problem: String
    package let remedy: String

    package init(_ problem: String, _ remedy: String) {
        self.problem = problem
        self.remedy = remedy
    }
}
