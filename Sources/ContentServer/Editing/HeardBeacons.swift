import Beacon
import Curation
import CurationStore
import Text

/// What the museum's devices receive of beacons: whether one is alive, and which ones nobody has named yet.
struct HeardBeacons: Sendable {
    private struct Loudest: Sendable {
        var rssi: Double
        var device: String
        var at: Moment
    }

    private let loudest: [BeaconID: Loudest]
    private let now: Moment

    /// Seconds after which a beacon that no device has reported counts as silent.
    static let fresh = 900.0
    /// The most suggestions for a new beacon.
    static let mostUnnamed = 8

    /// The most other beacons that are kept: whoever reports may name any number of them.
    private static let mostOthers = 20_000

    /// - Parameter wanted: the beacons of which `words` tells. Of others, only those are kept that are received now.
    init(_ editing: Editing, of wanted: some Sequence<BeaconID>) async throws {
        let (now, wanted) = (editing.now, Set(wanted))
        self.now = now
        loudest = try await editing.store.hearings(into: [:]) { (loudest: inout [BeaconID: Loudest], hearing) in
            for heard in hearing.beacons {
                let at = heard.lastSeen ?? hearing.reportedAt
                let new = Loudest(rssi: heard.rssi ?? -120, device: hearing.host, at: at)
                // The newest, and of those in one minute the loudest.
                if let known = loudest[heard.id] {
                    let seconds = at.time.seconds(since: known.at.time)
                    guard seconds > 60 || (seconds > -60 && new.rssi > known.rssi) else { continue }
                } else if !wanted.contains(heard.id) {
                    let isFresh = now.time.seconds(since: at.time) <= Self.fresh
                    guard isFresh, loudest.count < Self.mostOthers + wanted.count else { continue }
                }
                loudest[heard.id] = new
            }
        }
    }

    /// In words: received now, silent since, or never reported.
    func words(of id: BeaconID?, _ texts: Catalogue) -> PageValue {
        guard let id, let hearing = loudest[id] else {
            return ["class": "", "text": .text(texts.text("edit.health.unknown")), "at": .none]
        }
        let isFresh = now.time.seconds(since: hearing.at.time) <= Self.fresh
        return [
            "class": .text(isFresh ? "good" : "bad"),
            "text": .text(texts.text(isFresh ? "edit.health.heard" : "edit.health.silent", hearing.device)),
            "at": .text(hearing.at.description),
        ]
    }

    /// Beacons that devices receive now and that have no document, the loudest first.
    func unnamed(_ editing: Editing) async throws -> PageValue {
        var found: [PageValue] = []
        let candidates = loudest.filter { now.time.seconds(since: $0.value.at.time) <= Self.fresh }
            .sorted { ($0.value.rssi, $1.key.description) > ($1.value.rssi, $0.key.description) }
        for (id, hearing) in candidates.prefix(100) where found.count < Self.mostUnnamed {
            guard try await editing.store.beacon(id) == nil else { continue }
            found.append([
                "uuid": .text("\(id.uuid)".uppercased()), "major": .text("\(id.major)"), "minor": .text("\(id.minor)"),
                "device": .text(hearing.device), "rssi": .text(fixed(hearing.rssi, digits: 0)),
            ])
        }
        return .list(found)
    }
}
