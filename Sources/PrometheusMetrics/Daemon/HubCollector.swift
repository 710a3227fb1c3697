import Beacon
import Content
package import Events
import Health
import Ranging

extension MetricRegistry {
    /// Collects what the hub knows at each scrape: sources, the ranking, and running syncs.
    package func add(_ hub: EventHub) {
        add { set in
            let snapshot = hub.snapshot
            set.set(.scannerBlind, to: snapshot.isBlind ? 1 : 0)
            for source in snapshot.sources {
                for state in [EventHub.SourceState.State.listening, .lost, .over] {
                    let labels = [MetricLabel("source", source.source), MetricLabel("state", state.rawValue)]
                    set.set(.sourceState, labels, to: source.state == state ? 1 : 0)
                }
            }
            for part in snapshot.failing { set.set(.partFailing, [MetricLabel("part", part.part)], to: 1) }
            for output in ["mqtt", "hooks", "dbus", "history"] {
                set.set(.eventsDropped, [MetricLabel("output", output)], to: Double(hub.dropped[output] ?? 0))
            }
            set.set(.beaconsPresent, to: Double(snapshot.ranking?.beacons.count ?? 0))
            if let ranking = snapshot.ranking, let nearest = ranking.nearest {
                let labels = [
                    MetricLabel("uuid", nearest.uuid.description), MetricLabel("major", "\(nearest.major)"),
                    MetricLabel("minor", "\(nearest.minor)"), MetricLabel("name", hub.names.given(nearest) ?? ""),
                ]
                set.set(.nearest, labels, to: 1)
                if let distance = ranking.beacons.first(where: { $0.id == nearest })?.distance {
                    set.set(.nearestDistance, to: distance.metres)
                }
            }
            set.set(snapshot.health.beacons, names: hub.names)
            if case .known(let health) = snapshot.health { set.set(.beaconsWatched, to: Double(health.count)) }
            let pending = snapshot.progress.map { max(0, $0.progress.totalBytes - $0.progress.bytes) }
                .reduce(0.0) { $0 + Double($1) }
            set.set(.contentPending, to: pending)
            set.set(.contentFiles, to: Double(snapshot.site.fetchedFiles))
            set.set(.contentBytes, to: Double(snapshot.site.fetchedBytes))
            if let revision = snapshot.site.revision { set.set(.siteRevision, to: Double(revision)) }
            set.set(.siteProblem, to: snapshot.site.problem == nil ? 0 : 1)
        }
    }
}

extension MetricSet {
    /// Series at most: anybody can send identities.
    private static let mostBeacons = 500

    fileprivate mutating func set(_ health: [BeaconHealth], names: Names) {
        for beacon in health.lazy.filter({ !$0.problems.isEmpty || $0.battery != nil }).prefix(Self.mostBeacons) {
            let id = beacon.beacon
            let labels = [
                MetricLabel("uuid", id.uuid.description), MetricLabel("major", "\(id.major)"),
                MetricLabel("minor", "\(id.minor)"), MetricLabel("name", names.given(id) ?? ""),
            ]
            for problem in beacon.problems {
                set(.beaconProblem, labels + [MetricLabel("kind", problem.kind.rawValue)], to: 1)
            }
            if let battery = beacon.battery { set(.beaconBattery, labels, to: Double(battery) / 100) }
        }
    }
}
