import Beacon
import Console
import Fleet
import Listening
import Rooms
import Text

/// Writes where the beacons of recordings are, whenever that changes.
struct Locating: SightingConsumer {
    private let format: OutputFormat
    /// Whether each step within a room is told, too.
    private let tellsSteps: Bool
    /// What was told of each beacon last.
    private var told: [BeaconID: RoomAnswer] = [:]
    private var resolver: RoomResolver
    private var sources = RunSources()
    private var seconds = RecordedSeconds()

    init(_ map: RoomMap, format: OutputFormat, tellsSteps: Bool) {
        resolver = RoomResolver(map)
        self.format = format
        self.tellsSteps = tellsSteps
    }

    var wakeAfter: Duration? { nil }

    mutating func begin(_ sources: RunSources) throws {
        self.sources = sources
        seconds = try RecordedSeconds(resolver.map.places.map(\.scanner), from: sources)
        if format == .csv { Program.writeResult(RoomAnswerText.csvHeading) }
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        for (second, reports) in seconds.take(sighting) { resolve(second, reports) }
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool { true }

    mutating func flush() {}

    mutating func finish(isOver: Bool) {
        for (second, reports) in seconds.finish() { resolve(second, reports) }
        for line in notices { Program.tell("beacon-fleet: \(line)") }
    }

    /// What people should know of the recording, and of how it fits the building.
    private var notices: [String] {
        let known = Set(resolver.map.places.map(\.scanner))
        let heard = Set(seconds.scanners)
        var lines = heard.subtracting(known).sorted().map { "\(excerpt($0)) is in the recording and has no place" }
        lines += known.subtracting(heard).sorted().map { "\(excerpt($0)) has a place and is not in the recording" }
        if lines.count > Self.mostNotices {
            let rest = lines.count - Self.mostNotices
            lines = lines.prefix(Self.mostNotices) + ["the same of \(counted(rest, "scanner")) more"]
        }
        if let notice = seconds.notice { lines.append(notice) }
        return lines
    }

    private static let mostNotices = 10

    private mutating func resolve(_ second: Int64, _ reports: [ScannerSecond]) {
        for answer in resolver.resolve(second, reports) { write(answer, second: second + 1) }
    }

    private mutating func write(_ answer: RoomAnswer, second: Int64) {
        let before = told.updateValue(answer, forKey: answer.beacon)
        guard tellsSteps || before?.room != answer.room || before?.unknown != answer.unknown else { return }
        switch format {
        case .csv: Program.writeResult(RoomAnswerText.csv(answer, second: second))
        case .json: Program.writeResult(RoomAnswerText.json(answer, second: second, name: sources.names[answer.beacon]))
        case .table:
            let label = sources.names[answer.beacon] ?? "\(answer.beacon.major).\(answer.beacon.minor)"
            Program.writeResult(RoomAnswerText.line(answer, second: second, label: label))
        }
    }
}
