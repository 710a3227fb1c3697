public import ArgumentParser

import Beacon
import Ranging
public import Reports
import Glibc

/// Of what time a report is, in which form, and where it goes.
public struct ReportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "From when on, of the daemon's history: \(ReportMoment.forms). Without it: a day before --until.",
            valueName: "time"))
    public var since: String?

    @Option(name: .long, help: ArgumentHelp("Up to when; without it up to now.", valueName: "time"))
    public var until: String?

    @OptionGroup public var result: ResultOptions<ReportFormat>

    /// In which form.
    public var format: ReportFormat { result.format }
    /// A file for it, which appears when it is complete; nil for standard output.
    public var output: String? { result.output }

    public init() {}

    public func validate() throws {
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
            throw ValidationError("--\(error.description); \(error.whatToDo).")
        }
    }
}

extension ReportFormat: ResultFormat {
    public static let standard = text
    public static let help = "text, json, csv or html (one page with plots, which can be mailed)."
}
