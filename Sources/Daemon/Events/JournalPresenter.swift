import Beacon
import Console
package import Events
package import Logging
package import Ranging

/// Writes events to systemd's journal with fields to search by: `journalctl BEACOND_EVENT=nearest` or
/// `journalctl BEACOND_BEACON=UUID/MAJOR/MINOR`. An event that the journal refuses goes to the log.
package struct JournalPresenter: Presenter {
    private let names: Names
    private let text: EventText
    private let otherwise: LogPresenter
    private let lines: EventLines

    package init(logger: Logger, names: Names) {
        self.names = names
        text = EventText(names: names)
        let otherwise = LogPresenter(logger: logger, names: names)
        self.otherwise = otherwise
        lines = EventLines(names: names) { summary in
            let line = "flood    \(summary.text)"
            let fields = [("SYSLOG_IDENTIFIER", "beacond"), ("BEACOND_HELD", "\(summary.count)")]
            if !Journal.send(line, priority: 6, fields: fields) { otherwise.write(.info, line) }
        }
    }

    package func show(_ record: EventRecord) {
        guard let (level, line) = record.event.line(names: names), lines.takes(record.event) else { return }
        var fields = [
            ("SYSLOG_IDENTIFIER", "beacond"), ("BEACOND_EVENT", record.event.kind),
            ("BEACOND_EVENT_ID", "\(record.id)"),
            ("BEACOND_JSON", text.json(record)),
        ]
        if let beacon = record.event.beacon {
            fields.append(("BEACOND_BEACON", "\(beacon.uuid)/\(beacon.major)/\(beacon.minor)"))
            if let name = names.given(beacon) { fields.append(("BEACOND_NAME", name)) }
        }
        if !Journal.send(line, priority: level == .warning ? 4 : 6, fields: fields) { otherwise.write(level, line) }
    }

    package func show(_ ranking: Ranking, isBlind: Bool) {
        lines.tick()
        otherwise.show(ranking, isBlind: isBlind)
    }
}
