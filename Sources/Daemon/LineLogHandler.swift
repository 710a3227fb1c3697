import Beacon
import Console
package import Logging
import Platform
import Radio
import Text

/// Writes one line per event to standard error: time, level, message. Under systemd the journal adds the time, and the
/// level has the journal's form (sd-daemon(3)).
package struct LineLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let isJournal: Bool

    package init(level: Logger.Level, isJournal: Bool) {
        logLevel = level
        self.isJournal = isJournal
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let details = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { " \($0.key)=\($0.value)" }.joined()
        let text = Self.line("\(event.message)\(details)")
        Program.write(isJournal ? "<\(priority(event.level))>\(text)\n" : "\(prefix(event.level)) \(text)\n")
    }

    /// One line per event: text from outside may contain line breaks.
    package static func line(_ text: String) -> String { printable(textLines(text).joined(separator: " | ")) }

    private func prefix(_ level: Logger.Level) -> String {
        let time = WallClock.now.rfc3339.prefix(19)
        return level >= .notice ? "\(time)Z \(level):" : "\(time)Z"
    }

    /// syslog(3).
    private func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
