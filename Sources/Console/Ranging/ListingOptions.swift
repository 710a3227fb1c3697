package import ArgumentParser

/// Options of `range`, whether it or a daemon does the ranking.
package struct RankingOptions: ParsableArguments, Sendable {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Time between two rankings; a daemon ranks at most every ranging.interval_s.", valueName: "seconds"))
    package var interval: Double = 1

    @Flag(name: .long, help: "End after the first ranking.")
    package var once = false

    /// For how many seconds `once` waits for a beacon before it says that none is in range.
    package static let longestWait = 5.0

    package init() {}

    package func validate() throws {
        guard interval >= 0.05, interval <= 86_400 else {
            throw ValidationError("--interval is a number of seconds from 0.05 to 86400, not \(interval).")
        }
    }
}

/// Options of `sightings`, whether it or a daemon listens.
package struct SightingOptions: ParsableArguments, Sendable {
    @Option(name: .long, help: ArgumentHelp("End after this many lines.", valueName: "n"))
    package var limit: Int?

    package init() {}

    package func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is a number from 1, not \(limit).") }
    }
}
