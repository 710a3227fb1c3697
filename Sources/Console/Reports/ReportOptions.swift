package import ArgumentParser
import Beacon
import Ranging
package import Reports
import Glibc

/// The options for the time, format and destination of a report.
package struct ReportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "From when on, of the history: \(ReportMoment.forms). Without it: a day before --until.",
            valueName: "time"))
    package var since: String?

    @Option(name: .long, help: ArgumentHelp("Up to when; without it up to now.", valueName: "time"))
    package var until: String?

    @OptionGroup package var result: ResultOptions<ReportFormat>

    package var format: ReportFormat { result.format }
    /// The file for the report; nil for standard output.
    package var output: String? { result.output }

    package init() {}

    package func validate() throws {
        for (name, text) in [("--since", since), ("--until", until)] {
            if let text, ReportMoment(text) == nil {
                throw ValidationError("\(name) \(text) is no time: write \(ReportMoment.forms).")
            }
        }
        do throws(ReportWindow.Problem) {
            _ = try ReportWindow(
                since: since.flatMap { ReportMoment($0) }, until: until.flatMap { ReportMoment($0) },
                now: Timestamp(seconds: Double(Glibc.time(nil))))
        } catch {
            throw ValidationError("--\(error).")
        }
    }
}

extension ReportFormat: ResultFormat {
    package static let standard = text
    package static let help = "text, json, csv or html (one page with plots, which can be mailed)."
}
