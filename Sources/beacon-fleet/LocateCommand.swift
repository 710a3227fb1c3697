import ArgumentParser
import Beacon
import Console
import Fleet
import Listening
import Rooms
import Synchronization
import Text

struct LocateCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "locate",
        abstract: "Says in which room each beacon was, second by second, from recordings of several scanners.",
        discussion: """
            Each scanner is a source of its own, or is named in the column `scanner` of a table (the CSV of \
            `beaconctl sightings`). Without --places, each scanner stands in a room with the scanner's name.
            """)

    @OptionGroup var sources: SourceOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the scanners stand: a list of scanner, room, floor, x and y, in YAML or JSON.", valueName: "file"))
    var places: String?

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        let specs = try sources.specs()
        guard !specs.isEmpty, specs.allSatisfy(\.isFile) else {
            throw CommandFailure.usage("--source is needed: a recording, as in --source file:museum.csv")
        }
        let map = RoomMap(try await scannerPlaces(specs))
        let run = try SourceRun(sources, specs: specs, duration: nil, isFinite: true)
        let format = result.format
        let end = try await run.run { Locating(map, format: format) }
        if let problem = end.problem { throw problem }
    }

    private func scannerPlaces(_ specs: [SourceSpec]) async throws -> [ScannerPlace] {
        if let places {
            do {
                return try PlacesFile.read(places)
            } catch {
                throw CommandFailure.usage("\(error)")
            }
        }
        let names = Mutex<[String]>([])
        let run = try SourceRun(sources, specs: specs, duration: nil, isFinite: true)
        _ = try await run.run { ScannerNames { found in names.withLock { $0 = found } } }
        return names.withLock { $0 }.map { ScannerPlace(scanner: $0, room: $0) }
    }
}
