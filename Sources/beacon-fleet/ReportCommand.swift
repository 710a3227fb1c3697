import ArgumentParser
import Beacon
import Console
import Fleet
import FleetServer
import Platform
import Reports
import Settings
import Text
import YAMLText

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Reports by room: dwell, visits, hours, which beacon was where, and the ways from room to room.",
        discussion: "From the history that `beacon-fleet run --state` keeps, also while that is running.")

    @Option(name: .long, help: ArgumentHelp("The folder of the history, as in run --state.", valueName: "folder"))
    var state: String

    @OptionGroup var names: NamesOption

    @OptionGroup var options: ReportOptions

    @OptionGroup var wanted: BeaconFilterOptions

    func run() async throws {
        try FilesApart.require(
            names.inputs + [InputFile(RoomStore.file(in: state), "the history")],
            writes: [OutputFile(result: options.output)])
        let names = try names.knownBeacons()
        let window = try ReportWindow(
            since: options.since.flatMap { ReportMoment($0) }, until: options.until.flatMap { ReportMoment($0) },
            now: WallClock.now)
        let (folder, filter) = (state, wanted.filter)
        let report = try await OwnThread.run {
            try RoomStore.report(in: folder, window, names: names).only(filter)
        }
        // Text and the page say it themselves.
        if [.json, .csv].contains(options.format), let notice = report.beginningNotice { Program.tell(notice) }
        let terminal = options.output == nil ? Terminal.current : Terminal(isTerminal: false)
        try ResultFile.write(report.rendered(as: options.format, terminal: terminal), to: options.output)
    }
}
