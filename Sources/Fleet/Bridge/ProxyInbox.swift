package import Beacon
package import ESPHome
import Synchronization

/// The queue of messages from Bluetooth proxies to the thread of the broker's connection. It is not emptied while the
/// broker is away.
package final class ProxyInbox: Sendable {
    package struct Entry: Sendable {
        /// As the user wrote it.
        package var address: String
        package var time: Timestamp
        package var news: ProxyClient.News

        package init(address: String, time: Timestamp, news: ProxyClient.News) {
            self.address = address
            self.time = time
            self.news = news
        }
    }

    /// The maximum number of waiting messages.
    package static let capacity = 2000
    /// How many messages are kept when it is full: half, so that this does not happen again soon.
    private static let kept = capacity / 2

    private let entries = Mutex<[Entry]>([])

    package init() {}

    package func put(_ entry: Entry) {
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries = Self.thinned(entries) }
            entries.append(entry)
        }
    }

    package func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }

    /// The newest messages, and before them the last state of each kind, so that no proxy has a wrong state.
    private static func thinned(_ entries: [Entry]) -> [Entry] {
        var (states, isKept): (Set<State>, [Bool]) = ([], Array(repeating: false, count: entries.count))
        for (index, entry) in entries.enumerated().reversed() where states.count < kept {
            if let state = State(entry) { isKept[index] = states.insert(state).inserted }
        }
        var rest = kept - states.count
        for (index, entry) in entries.enumerated().reversed() where rest > 0 && State(entry) == nil {
            isKept[index] = true
            rest -= 1
        }
        return zip(entries, isKept).compactMap { $1 ? $0 : nil }
    }
}

/// A kind of state of one proxy.
private struct State: Hashable {
    enum Kind: Hashable {
        case listening, scanner, lost, lostAgain
    }

    var address: String
    var kind: Kind

    /// Nil for advertisements.
    init?(_ entry: ProxyInbox.Entry) {
        address = entry.address
        switch entry.news {
        case .listening: kind = .listening
        case .scanner: kind = .scanner
        case .lost(_, _, let isNews): kind = isNews ? .lost : .lostAgain
        case .sightings, .advertisements: return nil
        }
    }
}
