import ArgumentParser
import Beacon
import Broker
import Console
import Fleet
import FleetFormat
import Listening
import Platform
import Rooms
import Synchronization
import Text

struct TeachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "teach",
        abstract: "Learns a room from a beacon that is carried about in it for two minutes.",
        discussion: """
            Rooms without a scanner can be taught too. All resolvers use what was learned at once, and the broker \
            keeps it. Teaching a room again replaces it. With --source, the walk is a recording, and the result is \
            written for `beacon-fleet locate --taught`.
            """)

    @Argument(help: "The room's name.")
    var room: String

    @Option(
        name: .long,
        help: ArgumentHelp("Which beacon is carried: UUID/MAJOR/MINOR, or MAJOR.MINOR.", valueName: "beacon"))
    var beacon: BeaconQuery?

    @Option(name: .long, help: "The room's floor; 0 is the ground floor.")
    var floor = 0

    @Option(name: .long, help: ArgumentHelp("How long to listen.", valueName: "seconds"))
    var duration = 120.0

    @Flag(name: .long, help: "Forget what was taught about the room.")
    var forget = false

    @OptionGroup var broker: FleetBrokerOptions

    @OptionGroup var sources: SourceOptions

    @Option(name: [.short, .long], help: ArgumentHelp("With --source: where the result is written.", valueName: "file"))
    var output: String?

    /// Seconds within which a scanner has published something, where there is one.
    private static let longestSilence = 10.0

    func validate() throws {
        if let problem = PlaceName.problem(room) { throw ValidationError("A room's name \(problem).") }
        guard (-99...999).contains(floor) else {
            throw ValidationError("--floor is a number from -99 to 999, not \(floor).")
        }
        guard (30...3600).contains(duration) else {
            throw ValidationError("--duration is a number of seconds from 30 to 3600, not \(duration).")
        }
        guard forget || beacon != nil else {
            throw ValidationError("--beacon is needed: which beacon is carried about.")
        }
        // Scanners do not publish names: nobody should walk about for nothing.
        if let beacon, !beacon.isIdentity {
            throw ValidationError(
                "--beacon \(excerpt(beacon.description)) is no identity: write UUID/MAJOR/MINOR, or MAJOR.MINOR, with "
                    + "numbers from 0 to 65535.")
        }
    }

    func run() async throws {
        let place = RoomMap.Room(name: room, floor: floor)
        let specs = try sources.specs(writes: [OutputFile(result: output)])
        if !specs.isEmpty {
            try await learn(place, from: specs)
        } else if forget {
            let wasTaught = try await publish("", of: place)
            Program.tell("\(printable(room)), floor \(floor): \(wasTaught ? "forgotten" : "nothing was taught of it")")
        } else {
            try await walk(place)
        }
    }

    // MARK: - From a recording

    private func learn(_ place: RoomMap.Room, from specs: [SourceSpec]) async throws {
        guard let beacon, !forget, broker.mqtt == nil, specs.allSatisfy(\.isFile) else {
            throw CommandFailure.usage(
                "--source is a recording of a walk, as in --source file:walk.csv, without --mqtt and --forget")
        }
        let lesson = Mutex(Teaching(beacon, topics: FleetTopics(prefix: broker.prefix)))
        let run = try SourceRun(sources, specs: specs, duration: nil, isFinite: true)
        let end = try await run.run { RecordedLesson { report in lesson.withLock { $0.take(report) } } }
        if let problem = end.problem { throw problem }
        let taught = try lesson.withLock { $0 }.taught(place)
        try ResultFile.write(TaughtRoomMessage.json(taught) + "\n", to: output)
    }

    // MARK: - At a broker

    private func walk(_ place: RoomMap.Room) async throws {
        guard let beacon else { return }
        guard output == nil else {
            throw CommandFailure.usage("--output is for --source: the broker keeps what is taught")
        }
        let login = try broker.login("beacon-fleet-teach")
        let topics = FleetTopics(prefix: broker.prefix)
        let lesson = Mutex(Teaching(beacon, topics: topics))
        let trouble = Mutex<String?>(nil)
        let visit = BrokerVisit(login, subscriptions: topics.lessonSubscriptions) { news in
            switch news {
            case .problem(let problem): trouble.withLock { $0 = "\(problem)" }
            case .connected: trouble.withLock { $0 = nil }
            case .arrived, .unsendable: break
            }
        } take: { topic, payload in
            lesson.withLock { $0.take(topic, payload) }
        }
        Program.tell("walk about in \(printable(room)) with the beacon for \(Int(duration)) s, also into its corners")
        let line = ProgressLine()
        let seconds = duration
        let interruption = try await UntilStopped.run(for: nil, isFinite: true) {
            try await visit.during {
                let start = ContinuousClock.now
                while ContinuousClock.now - start < .seconds(seconds) {
                    let elapsed = (ContinuousClock.now - start) / .seconds(1)
                    // Nobody should walk about for nothing.
                    if elapsed > Self.longestSilence, !lesson.withLock({ $0.hasScanners }) { break }
                    line.show(at: elapsed) { _ in
                        let state = trouble.withLock { $0 } ?? lesson.withLock { $0.progress }
                        return "\(Int(seconds - elapsed)) s left; \(state)"
                    }
                    try await Task.sleep(for: .milliseconds(250))
                }
            }
        }
        line.clear()
        try interruption.check()
        if let trouble = trouble.withLock({ $0 }) { throw CommandFailure(trouble) }
        let taught = try lesson.withLock { $0 }.taught(place)
        try await publish(TaughtRoomMessage.json(taught), of: place)
        Program.tell(
            "\(printable(room)) is taught: \(counted(taught.spots.count, "spot")), by what "
                + "\(counted(heard(taught), "scanner")) could receive there")
    }

    /// - Returns: whether something was taught of it before.
    @discardableResult
    private func publish(_ payload: String, of place: RoomMap.Room) async throws -> Bool {
        try await broker.retain(payload, on: FleetTopics(prefix: broker.prefix).taught(place), as: "beacon-fleet-teach")
    }

    private func heard(_ taught: TaughtRoom) -> Int {
        Set(taught.spots.flatMap { $0.filter { $0.value != nil }.keys }).count
    }
}

/// Gives a lesson what scanners have recorded.
struct RecordedLesson: SightingConsumer {
    private var seconds = RecordedSeconds()
    private let learn: @Sendable (ScannerSecond) -> Void

    init(learn: @escaping @Sendable (ScannerSecond) -> Void) {
        self.learn = learn
    }

    var wakeAfter: Duration? { nil }

    mutating func begin(_ sources: RunSources) throws {
        seconds = try RecordedSeconds(from: sources)
    }

    mutating func take(_ sighting: borrowing Sighting) -> Bool {
        for report in seconds.take(sighting).flatMap(\.reports) { learn(report) }
        return true
    }

    mutating func reached(_ now: Timestamp) -> Bool { true }

    mutating func flush() {}

    mutating func finish(isOver: Bool) {
        for report in seconds.finish().flatMap(\.reports) { learn(report) }
        if let notice = seconds.notice { Program.tell("beacon-fleet: \(notice)") }
    }
}
