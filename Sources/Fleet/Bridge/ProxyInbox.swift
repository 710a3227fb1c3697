import Beacon
import ESPHome
import Synchronization

/// What Bluetooth proxies have said, on its way to the thread of the broker's connection.
final class ProxyInbox: Sendable {
    struct Entry: Sendable {
        /// As it was given, for people.
        var address: String
        var time: Timestamp
        var news: ProxyClient.News
    }

    /// Messages that wait. Where there are more, the oldest is lost.
    private static let capacity = 2000

    private let entries = Mutex<[Entry]>([])

    func put(_ entry: Entry) {
        entries.withLock { entries in
            // States are kept: without them a proxy would count as what it is not.
            if entries.count >= Self.capacity, let oldest = entries.firstIndex(where: { $0.isSightings }) {
                entries.remove(at: oldest)
            }
            entries.append(entry)
        }
    }

    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}

extension ProxyInbox.Entry {
    fileprivate var isSightings: Bool {
        if case .sightings = news { true } else { false }
    }
}
