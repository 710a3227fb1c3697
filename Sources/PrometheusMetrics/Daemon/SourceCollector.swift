import HCI
package import Listening
import Radio

extension MetricRegistry {
    /// Adds the counters of the sources.
    ///
    /// - Parameters:
    ///   - tallies: one entry per source.
    ///   - dropped: the number of sightings that the feed dropped.
    package func add(tallies: @escaping @Sendable () -> [SourceCounters.Entry], dropped: @escaping @Sendable () -> Int)
    {
        add { set in
            set.set(.sightingsDropped, to: Double(dropped()))
            for each in tallies() {
                let (counts, interference) = (each.tally.counts, each.tally.interference)
                let source = MetricLabel("source", each.source)
                for (metric, count) in [
                    (Metric.sourcePackets, counts.packets), (.sourceReports, counts.reports),
                    (.sourceBeacons, counts.iBeacons), (.sourceMalformed, counts.malformed),
                    (.sourceOverruns, each.tally.overruns), (.sourceConnections, each.connections),
                ] {
                    set.set(metric, [source], to: Double(count))
                }
                for (kind, count) in [
                    ("filtered", interference.filtered), ("stopped", interference.stopped),
                    ("reset", interference.resets),
                ] {
                    set.set(.sourceInterference, [source, MetricLabel("kind", kind)], to: Double(count))
                }
                note(each.tally.trouble, of: source, &set)
            }
        }
    }
}

private func note(_ trouble: ControllerTrouble, of source: MetricLabel, _ set: inout MetricSet) {
    for stage in ControllerTrouble.Stage.allCases {
        let count = trouble.steps[stage] ?? 0
        set.set(.sourceRecovery, [source, MetricLabel("stage", stage.rawValue)], to: Double(count))
    }
    for (code, count) in trouble.refused {
        set.set(.sourceCommandErrors, [source, MetricLabel("code", "\(code)")], to: Double(count))
    }
    set.set(.sourceCommandErrors, [source, MetricLabel("code", "timeout")], to: Double(trouble.unanswered))
}
