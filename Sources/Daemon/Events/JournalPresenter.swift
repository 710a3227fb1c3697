import Beacon
import Console
public import Events
public import Logging
public import Ranging

/// Events in systemd's journal, with fields to search by: `journalctl BEACOND_EVENT=nearest`,
/// `journalctl BEACOND_BEACON=UUID/MAJOR/MINOR`. What the journal does not take goes to the log.
public struct JournalPresenter: Presenter {
    private let names: Names
    private let text: EventText
    private let otherwise: LogPresenter

    public init(logger: Logger, names: Names) {
        self.names = names
        text = EventText(names: names)
        otherwise = LogPresenter(logger: logger, names: names)
    }

    public func show(_ record: EventRecord) {
        guard let (level, line) = record.event.line(names: names) else { return }
        var fields = [
            ("SYSLOG_IDENTIFIER", "beacond"), ("BEACOND_EVENT", record.event.kind), ("BEACOND_EVENT_ID", "\(record.id)"),
            ("BEACOND_JSON", text.json(record)),
        ]
        if let beacon = record.event.beacon {
            fields.append(("BEACOND_BEACON", "\(beacon.uuid)/\(beacon.major)/\(beacon.minor)"))
            if let name = names.given(beacon) { fields.append(("BEACOND_NAME", name)) }
        }
        if !Journal.send(line, priority: level == .warning ? 4 : 6, fields: fields) { otherwise.show(record) }
    }

    public func show(_ ranking: Ranking, isBlind: Bool) {
        otherwise.show(ranking, isBlind: isBlind)
    }
}
