import ArgumentParser
import Beacon
import Console
import Glibc
import Listening
import Platform
import Radio
import Ranging
import Settings
import Text

struct CalibrateCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measures a beacon's true power at 1 m, and the room's path-loss exponent.",
        discussion: """
            On a terminal it says what to do: stand 1 m from the beacon, then at further distances if you like. In a \
            script, --distance says how far the receiver is. Captures are measured one for each distance: \
            --source file:1m.csv --distance 1 --source file:4m.csv --distance 4.
            """)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Which one (default: the strongest): UUID/MAJOR/MINOR, as much of it as is enough, or a name.",
            valueName: "beacon"))
    var beacon: BeaconQuery?

    @Option(name: .long, help: ArgumentHelp("Distance; may be repeated (default: 1).", valueName: "metres"))
    var distance: [Double] = []

    @OptionGroup var sources: SourceOptions

    @OptionGroup var site: SiteOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Time at each distance (default: 30, and longer for a beacon that sends rarely).", valueName: "seconds"))
    var duration: Double?

    @Flag(name: .long, help: "Write the correction into the configuration (--config).")
    var write = false

    @Option(name: .long, help: ArgumentHelp("Plot level against distance.", valueName: "file.svg"))
    var svg: String?

    @OptionGroup var result: ResultOptions<TextFormat>

    func validate() throws {
        if let metres = distance.first(where: { !(0.1...100).contains($0) }) {
            throw ValidationError("--distance is a number of metres from 0.1 to 100, not \(metres).")
        }
        guard Set(distance).count == distance.count else { throw ValidationError("--distance: each one only once.") }
        if let duration, !(1...3600).contains(duration) {
            throw ValidationError("--duration is a number of seconds from 1 to 3600, not \(duration).")
        }
        if write, site.file == nil { throw ValidationError("--write needs a configuration, and --config is none.") }
    }

    func run() async throws {
        let specs = try sources.specs(reads: site.inputs, writes: [OutputFile("--svg", svg)])
        guard !specs.isEmpty else {
            throw CommandFailure.usage(
                "name what to listen with, for example --source hci0: the daemon does not calibrate")
        }
        let settings = try site.load()
        // A file that cannot be written is reported now, before a person has measured for a minute.
        if write { try ConfigurationFileWriter.check(file) }
        var session = CalibrationSession(
            options: sources, site: settings, beacon: beacon, duration: duration,
            isGuided: Terminal.hasReader && Terminal.standardError.isTerminal)
        try await session.measure(try spots(specs))
        if session.isGuided, distance.isEmpty, !specs.allSatisfy(\.isFile) { try await session.measureFurther(specs) }

        var found = try session.result()
        if let svg { try ResultFile.write(found.svg, to: svg) }
        if write, found.estimate.recommendation != .measureAgain {
            try writeCorrection(found)
            found.written = file
        }
        try ResultFile.write(result.format == .json ? found.json : found.text(.current), to: nil)
        if let file = found.written {
            Program.write("written to \(file); a running daemon that uses this file reloads it in a moment\n")
        } else if write {
            throw CommandFailure("nothing was written: the measurement is not good enough")
        }
    }

    /// The positions to measure at, with their sources.
    private func spots(_ specs: [SourceSpec]) throws -> [CalibrationSession.Spot] {
        let distances = distance.isEmpty ? [1] : distance
        if specs.allSatisfy(\.isFile) {
            guard specs.count == distances.count else {
                throw CommandFailure.usage(
                    "captures are measured one for each distance: \(specs.count) of --source, "
                        + "\(distances.count) of --distance")
            }
            return zip(distances, specs).map { .init(metres: $0, spec: $1) }
        }
        guard specs.count == 1 else {
            throw CommandFailure.usage("calibrate with one receiver at a time: name one --source")
        }
        guard distances.count == 1 || (Terminal.hasReader && Terminal.standardError.isTerminal) else {
            throw CommandFailure.usage(
                "several distances need somebody to move the receiver: run this on a terminal, or record a capture at "
                    + "each and measure those")
        }
        guard distances.count == 1 || sources.capture == nil else {
            throw CommandFailure.usage("--capture records one distance only")
        }
        return distances.map { .init(metres: $0, spec: specs[0]) }
    }

    // MARK: - The configuration

    private var file: String { site.file ?? RangingConfiguration.defaultFile }

    private func writeCorrection(_ result: CalibrationResult) throws {
        let day = WallClock.now.rfc3339.prefix(10)
        let metres = result.estimate.points.map { fixed($0.metres, digits: $0.metres < 10 ? 1 : 0) }
        let edit = CorrectionEdit(
            beacon: BeaconConstraint(result.id), measuredPower: result.estimate.measuredPower,
            deviation: result.estimate.deviation,
            note: "calibrated \(day) at \(metres.joined(separator: ", ")) m, \(result.samples) readings, "
                + result.scanner)
        // Others may have changed the file during the measurement.
        try ConfigurationFileWriter.change(file) { $0 = try edit.applied(to: $0, file: file) }
    }
}
