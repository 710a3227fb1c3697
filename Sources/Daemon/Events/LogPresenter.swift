import Beacon
package import Events
package import Logging
package import Ranging

/// Writes events to the log, one line each.
package struct LogPresenter: Presenter {
    private let logger: Logger
    private let names: Names
    private let lines: EventLines

    package init(logger: Logger, names: Names) {
        self.logger = logger
        self.names = names
        lines = EventLines(names: names) { logger.info("flood    \($0.text)") }
    }

    package func show(_ record: EventRecord) {
        guard let (level, text) = record.event.line(names: names), lines.takes(record.event) else { return }
        write(level, text)
    }

    func write(_ level: EventLevel, _ text: String) {
        switch level {
        case .info: logger.info("\(text)")
        case .warning: logger.warning("\(text)")
        }
    }

    /// Logs the number of sightings so far and the time of the last, which shows whether anything is received.
    package func show(_ ranking: Ranking, isBlind: Bool) {
        lines.tick()
        guard logger.logLevel <= .debug else { return }
        let sightings = ranking.beacons.reduce(0) { $0 + $1.count }
        let last = ranking.beacons.map(\.lastSeen).max().map { ", the last at \($0.rfc3339)" } ?? ""
        logger.debug("ranking  \(ranking.beacons.count) beacons, \(sightings) sightings\(last)")
    }
}
