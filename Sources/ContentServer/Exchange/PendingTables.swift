import Beacon
import Curation
import Synchronization

/// Tables that somebody has sent and seen the changes of, until they say that they are to be imported.
final class PendingTables: Sendable {
    struct Entry: Sendable {
        var account: String
        var table: SiteExchange.Table
        var bytes: [UInt8]
        var name: String
        var at: Moment
    }

    /// Bytes of one table; more than a thousand beacons or ten thousand texts need.
    static let largest = 8 << 20
    static let most = 8
    static let seconds = 3600.0

    private let entries = Mutex<[String: Entry]>([:])

    /// Keeps a table, in place of the account's last one; the oldest of all makes room.
    ///
    /// - Returns: what names it in the form.
    func keep(_ entry: Entry) -> String {
        let name = DocumentID.random().text
        entries.withLock { entries in
            entries = entries.filter {
                $0.value.account != entry.account && entry.at.time.seconds(since: $0.value.at.time) < Self.seconds
            }
            if entries.count >= Self.most, let oldest = entries.min(by: { $0.value.at < $1.value.at }) {
                entries[oldest.key] = nil
            }
            entries[name] = entry
        }
        return name
    }

    /// Takes a table out; nil if it is not there any more, or somebody else's.
    func take(_ name: String, of account: String) -> Entry? {
        entries.withLock { entries in
            guard entries[name]?.account == account else { return nil }
            return entries.removeValue(forKey: name)
        }
    }
}
