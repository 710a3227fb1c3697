package import Beacon
package import FleetFormat
package import Rooms

/// The state of each scanner of the fleet, and when its last message came. A plain value.
package struct FleetScanners: Sendable {
    /// Seconds without a message after which a scanner counts as gone.
    package static let silence = 10.0

    private struct Entry {
        var message: ScannerMessage
        /// By this program's clock.
        var lastHeard: Double
        var isBlind: Bool
        /// The `clock_ms` of its levels.
        var clock: Int?
        var hasLeft = false
        var told: (state: FleetScanner.State, since: Timestamp)?
    }

    private var entries: [String: Entry] = [:]
    /// No message of a scanner that is not silent is older than this. Before its silence can begin, there is nothing to
    /// look for: with many scanners, a look at each of them at each message would be too much.
    private var oldest = Double.infinity

    package init() {}

    /// Takes a scanner's retained state; nil if it was removed. A scanner without a room does not belong to the fleet.
    package mutating func take(_ message: ScannerMessage?, of host: String, at now: Double) {
        guard let message, message.place != nil else {
            entries[host] = nil
            return
        }
        guard entries[host] != nil || entries.count < RoomMap.mostScanners else { return }
        if entries[host] == nil { oldest = min(oldest, now) }
        entries[host, default: Entry(message: message, lastHeard: now, isBlind: message.isBlind)].message = message
        entries[host]?.isBlind = message.isBlind
    }

    /// A scanner has sent levels.
    ///
    /// - Parameter clock: milliseconds by which its clock is corrected; nil if it does not say.
    package mutating func hear(_ host: String, isBlind: Bool, clock: Int? = nil, at now: Double) {
        // Only that of a scanner that was silent, or of a clock that was set back, is older.
        oldest = min(oldest, now)
        entries[host]?.lastHeard = now
        entries[host]?.isBlind = isBlind
        entries[host]?.clock = clock
        entries[host]?.hasLeft = false
    }

    /// There is a new connection: that no messages came before means nothing.
    package mutating func connect(at now: Double) {
        for host in entries.keys { entries[host]?.lastHeard = now }
        oldest = now
    }

    /// A scanner ends, or the broker has lost it.
    package mutating func leave(_ host: String) { entries[host]?.hasLeft = true }

    /// The scanners that have fallen silent: nothing came from them for as long as it takes to be gone, while another
    /// one has sent something. Each is named as soon as that is so, and not again at each call.
    ///
    /// - Parameter newest: when that came.
    package mutating func takeSilent(while newest: Double) -> [String] {
        guard newest - oldest > Self.silence else { return [] }
        oldest = .infinity
        var silent: [String] = []
        for (host, entry) in entries {
            if newest - entry.lastHeard > Self.silence {
                silent.append(host)
            } else {
                oldest = min(oldest, entry.lastHeard)
            }
        }
        return silent
    }

    /// The next call of `takeSilent` names all scanners that are silent.
    mutating func lookAgain() { oldest = -.infinity }

    /// The scanners for which a bridge publishes.
    func nodes(of bridge: String) -> [String] {
        entries.filter { $0.value.message.bridge == bridge }.keys.sorted()
    }

    /// All scanners, by name.
    ///
    /// - Parameters:
    ///   - now: by this program's clock.
    ///   - time: the beginning of states that are new.
    ///   - tallies: counts of their messages, by name.
    package mutating func states(
        at now: Double, time: Timestamp, tallies: [String: SecondBarrier.Tally] = [:]
    ) -> [FleetScanner] {
        entries.keys.sorted().compactMap { host -> FleetScanner? in
            guard let entry = entries[host], let place = entry.message.place else { return nil }
            let state: FleetScanner.State =
                entry.hasLeft || now - entry.lastHeard > Self.silence ? .gone : entry.isBlind ? .blind : .ok
            let told = entry.told.flatMap { $0.state == state ? $0 : nil } ?? (state: state, since: time)
            entries[host]?.told = told
            return FleetScanner(
                place: place, state: state, since: told.since, version: entry.message.version,
                revision: entry.message.revision, isSynchronised: entry.message.isSynchronised,
                hearing: hearing(entry, tallies[host]))
        }
    }

    /// How each scanner is received, by name.
    func hearings(_ tallies: [String: SecondBarrier.Tally]) -> [String: HearingMessage.Scanner] {
        entries.reduce(into: [:]) { $0[$1.key] = hearing($1.value, tallies[$1.key]) }
    }

    /// Whether a scanner's clock is synchronised; nil if it does not say.
    func isSynchronised(_ host: String) -> Bool? { entries[host]?.message.isSynchronised }

    private func hearing(_ entry: Entry, _ tally: SecondBarrier.Tally?) -> HearingMessage.Scanner {
        HearingMessage.Scanner(
            second: tally?.second, clock: entry.clock ?? entry.message.clock, late: tally?.late ?? 0,
            ahead: tally?.ahead ?? 0, dropped: tally?.dropped ?? 0)
    }
}
