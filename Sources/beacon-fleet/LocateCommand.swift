import ArgumentParser
import Beacon
import Console
import Fleet
import FleetFormat
import Listening
import Rooms
import Synchronization
import Text
import YAMLText

struct LocateCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "locate",
        abstract: "Finds the room of each beacon, second by second, from recordings of several scanners.",
        discussion: """
            Each scanner is a source of its own, or is named in the column `scanner` of a table (the CSV of \
            `beaconctl sightings`). Without --places, each scanner is in a room with the scanner's name.
            """)

    @OptionGroup var sources: SourceOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where scanners and rooms are: a list of scanner, room, floor, x and y, or scanners: and rooms:, in YAML "
                + "or JSON.",
            valueName: "file"))
    var places: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A room that was taught, as `beacon-fleet teach --source` writes it; may be repeated.", valueName: "file"))
    var taught: [String] = []

    @Flag(name: .long, help: "Also write a line when a beacon has moved within its room.")
    var steps = false

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        let specs = try sources.specs(reads: inputs)
        guard !specs.isEmpty, specs.allSatisfy(\.isFile) else {
            throw CommandFailure.usage("--source is needed: a recording, as in --source file:museum.csv")
        }
        let lessons = try taught.map(Self.taughtRoom)
        let building = try places.map(Self.building)
        var scanners = building?.places ?? []
        if scanners.isEmpty, specs.contains(where: { $0.kind == .file(path: "-") }) {
            throw CommandFailure.usage(
                "--places is needed with --source file:-: what is piped in can be read only once, and the names of the "
                    + "scanners are in it")
        }
        if scanners.isEmpty { scanners = try await scannerNames(specs).map { ScannerPlace(scanner: $0, room: $0) } }
        let outlines = building?.outlines ?? []
        let map = RoomMap(scanners, outlines: outlines, taught: lessons)
        for line in PlanMismatch(outlines: outlines, scanners: scanners, taught: lessons.map(\.room)).lines {
            Program.tell("beacon-fleet: \(line)")
        }
        let run = try SourceRun(sources, specs: specs, duration: nil, isFinite: true)
        let (format, steps) = (result.format, steps)
        let end = try await run.run { Locating(map, format: format, tellsSteps: steps) }
        if let problem = end.problem { throw problem }
    }

    private var inputs: [InputFile] {
        (places.map { [InputFile($0, "the list of places")] } ?? []) + taught.map { InputFile($0, "the taught room") }
    }

    private static func taughtRoom(_ path: String) throws -> TaughtRoom {
        do {
            return try TaughtRoomMessage.taught(json: Array((try DocumentFile.text(of: path) ?? "").utf8))
        } catch let error as FleetMessageError {
            throw CommandFailure.usage("\(path): \(error); make it with `beacon-fleet teach --source`")
        } catch let error as DocumentError {
            throw CommandFailure.usage("\(error)")
        }
    }

    private static func building(_ path: String) throws -> PlacesFile {
        do {
            return try PlacesFile.read(path)
        } catch {
            throw CommandFailure.usage("\(error)")
        }
    }

    private func scannerNames(_ specs: [SourceSpec]) async throws -> [String] {
        let names = Mutex<[String]>([])
        // What was skipped is told when the answers are worked out.
        let run = try SourceRun(sources, specs: specs, duration: nil, isFinite: true, tellsDamage: false)
        _ = try await run.run { ScannerNames { found in names.withLock { $0 = found } } }
        return names.withLock { $0 }
    }
}
