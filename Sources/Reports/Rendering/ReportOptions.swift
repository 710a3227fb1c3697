public import ArgumentParser

/// Of what time a report is, in which form, and where it goes.
public struct ReportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "From when on, of the daemon's history: \(ReportMoment.forms). Without it: \(standardSince).",
            valueName: "time"))
    public var since: String?

    @Option(name: .long, help: ArgumentHelp("Up to when; without it up to now.", valueName: "time"))
    public var until: String?

    @Option(name: .long, help: "text, json, csv or html (one page with plots, which can be mailed).")
    public var format: ReportFormat = .text

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("Write to a file.", valueName: "file"))
    public var output: String?

    /// What `--since` is where it is not given.
    public static let standardSince = "24h"

    public init() {}

    public func validate() throws {
        for (name, text) in [("--since", since), ("--until", until)] {
            if let text, ReportMoment(text) == nil {
                throw ValidationError("\(name) \(text) is no time: write \(ReportMoment.forms).")
            }
        }
    }
}
