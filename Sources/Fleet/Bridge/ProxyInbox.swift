package import Beacon
package import ESPHome
import Synchronization

/// What Bluetooth proxies have said, on its way to the thread of the broker's connection. Nobody takes it while the
/// broker is away.
package final class ProxyInbox: Sendable {
    package struct Entry: Sendable {
        /// As it was given, for people.
        package var address: String
        package var time: Timestamp
        package var news: ProxyClient.News

        package init(address: String, time: Timestamp, news: ProxyClient.News) {
            self.address = address
            self.time = time
            self.news = news
        }
    }

    /// Messages that wait.
    package static let capacity = 2000
    /// Messages that are kept where there are more: so it is long until that happens again.
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

    /// The newest. Of states the last of each kind comes first: without it a proxy would count as what it is not.
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

    /// Nil for what was received.
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
